use crate::TARGETS;

/// Something that takes any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its folder in `corpus/`.
    pub name: &'static str,
    /// What is under trial, in a line.
    pub about: &'static str,
    /// The trial; it panics where something has gone wrong.
    pub run: fn(&[u8]),
}

/// The target of this name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
