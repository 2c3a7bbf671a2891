//! Each definition against its closed forms.

mod interval;
mod marchaud;
mod miller_ross;
mod nonsingular;
mod prabhakar;
mod space;
mod substitutions;
mod tempered;
mod variable_order;
mod variable_order_cubic;
