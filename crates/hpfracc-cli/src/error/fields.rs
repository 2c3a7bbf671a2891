use hpfracc::types::shortest;
use thiserror::Error;

/// Error of `hpfracc pde` and `hpfracc graph`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FieldsError {
    /// Axis that is not `FROM:TO:N`.
    #[error("--box {text}: expected FROM:TO:N, such as 0:1:200, once for each axis, up to three")]
    Box {
        /// The text.
        text: String,
    },
    /// Boundary that is not known.
    #[error(
        "--boundary {text}: expected periodic, dirichlet, neumann or robin:BETA, or two of them with a \
         comma for the two ends"
    )]
    Boundary {
        /// The text.
        text: String,
    },
    /// Number of boundaries that is not 1 or that of the axes.
    #[error(
        "--boundary is given {found} times for {axes} axes: expected once, or once for each axis"
    )]
    Boundaries {
        /// Number of boundaries.
        found: usize,
        /// Number of axes.
        axes: usize,
    },
    /// Value on a face that cannot be read.
    #[error("--value \"{text}\": {reason}; write \"u(x=0) = sin(t)\"")]
    FaceValue {
        /// The text.
        text: String,
        /// Reason.
        reason: String,
    },
    /// Fields without a start.
    #[error("no start of {field}: add {field}(0) = ... to the equation, or --start")]
    NoStart {
        /// Name of the field.
        field: String,
    },
    /// Start that cannot be read.
    #[error("--start {text}: {reason}")]
    Start {
        /// The text.
        text: String,
        /// Reason.
        reason: String,
    },
    /// No end of the time.
    #[error("no end of the time: add t in [0, 1] to the equation, or --until 1")]
    NoEnd,
    /// Time that is not in the interval.
    #[error("--times {}: expected increasing numbers from 0 to {}", shortest(*.time), shortest(*.until))]
    Time {
        /// The time.
        time: f64,
        /// End of the interval.
        until: f64,
    },
    /// Equation that needs steps.
    #[error(
        "--scheme none: the equation is not linear with constant sources and boundary values 0"
    )]
    NeedsSteps,
    /// Scheme for one order in time.
    #[error(
        "--scheme product-trapezoid: it has one order in time for each field; for several, distributed \
         and variable orders take l1 or implicit-explicit"
    )]
    SeveralOrders,
    /// Events of an equation with noise.
    #[error("the equation has noise and events: a path with noise has no events")]
    NoisyEvents,
    /// Time of the output that is no node of the steps of a path.
    #[error(
        "the output has the time {}, which is none of the {n} equal steps of a path: --n sets their \
         number, --times or --frames the times", shortest(*.time))]
    NoNode {
        /// The time.
        time: f64,
        /// Number of steps.
        n: usize,
    },
    /// File that is no array of numbers.
    #[error("{name}: {reason}")]
    Npy {
        /// The file.
        name: String,
        /// Reason.
        reason: String,
    },
    /// Animation that is no PNG.
    #[error("--animate {path}: the name must end in .png")]
    Animation {
        /// File as named on the command line.
        path: String,
    },
    /// Edges or values of a graph that cannot be read.
    #[error("{name}: {reason}")]
    Graph {
        /// The file.
        name: String,
        /// Reason.
        reason: String,
    },
}
