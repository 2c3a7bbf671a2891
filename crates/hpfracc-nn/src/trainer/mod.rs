//! Making an objective small: orders of samples, validation, metrics, checkpoints.

mod checkpoint;
mod crc64;
mod diagnosis;
mod error;
mod event;
mod folder;
mod metrics;
mod order;
mod run;
mod sealed;
mod settings;
mod standardisation;
mod state;
mod subset;

pub use checkpoint::Parameters;
pub use crc64::crc64 as checksum;
pub use error::{At, TrainerError};
pub use event::{Epoch, Event, Step};
pub use folder::RunFolder;
pub use order::order_of_epoch;
pub use run::{Trained, Trainer};
pub use sealed::Damage;
pub use settings::Training;
pub use standardisation::{RecordError, Standardisation};
pub use state::{Best, End};
pub use subset::{Subset, split};
