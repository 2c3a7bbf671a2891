mod adaptive_steps;
mod admission;
mod drift;
mod implicit_and_tamed;
mod strong_fractional;
mod strong_orders;
