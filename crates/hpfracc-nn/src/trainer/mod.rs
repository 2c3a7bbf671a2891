//! Training of an objective: shuffling, validation, metrics, checkpoints.

mod agreement;
mod checkpoint;
mod diagnosis;
mod error;
mod event;
mod metrics;
mod order;
mod run;
mod settings;
mod standardisation;
mod state;
mod subset;

pub use checkpoint::{Parameters, RunFolder};
pub use error::{At, TrainerError};
pub use event::{Epoch, Event, Step};
pub use hpfracc_checkpoint::{Damage, crc64 as checksum};
pub use order::order_of_epoch;
pub use run::{Trained, Trainer};
pub use settings::{OrderTraining, Training};
pub use standardisation::{RecordError, Standardisation};
pub use state::{Best, End};
pub use subset::{Subset, split};
