mod continuum;
mod discrete;
mod fractional;
mod kinds_of_noise;
mod statistics;
