mod antithetic;
mod checkpoints;
mod multilevel;
mod solves;
