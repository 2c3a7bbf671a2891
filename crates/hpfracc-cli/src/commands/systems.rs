//! `hpfracc systems`: lists the equations and schemes of `hpfracc solve`.

use crate::Error;
use crate::output::write_stdout;
use crate::systems::schemes::SCHEMES;
use crate::systems::{Named, SYSTEMS};
use crate::text::rounded;

pub(crate) fn run() -> Result<(), Error> {
    let systems: String = SYSTEMS.into_iter().map(entry).collect();
    let schemes: String =
        SCHEMES.iter().map(|scheme| format!("  {:<22}{}\n", scheme.name, scheme.about)).collect();
    write_stdout(format!("{systems}Schemes\n{schemes}").as_bytes())
}

fn entry(system: &Named) -> String {
    let (above, up_to) = system.orders;
    let parameters = system.parameters.iter();
    let parameters: Vec<String> =
        parameters.map(|(name, value)| format!("{name}={}", rounded(*value))).collect();
    let defaults = system.defaults;
    format!(
        "{}: {}, {above} < alpha <= {up_to}\n  {}\n  parameters  {}\n  defaults    alpha {}, t1 {}, n {}, scheme {}\n\n",
        system.name,
        system.title,
        system.equation.join("\n  "),
        parameters.join(" "),
        defaults.alpha,
        rounded(defaults.t1),
        defaults.n,
        defaults.scheme
    )
}
