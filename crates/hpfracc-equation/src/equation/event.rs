use crate::graph::Id;

/// Direction in which an event's expression crosses zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Either way.
    Either,
}

/// What happens at an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// The solution ends.
    Stop,
    /// Components of the state, by their index, jump to these values, which are computed from the
    /// state before the event.
    Assign(Vec<(usize, Id)>),
}

/// Event: an expression crosses zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub(crate) expression: Id,
    pub(crate) direction: Direction,
    pub(crate) action: Action,
}

impl Event {
    /// Expression that crosses zero.
    pub fn expression(&self) -> Id {
        self.expression
    }

    /// Direction of the crossing.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// What happens.
    pub fn action(&self) -> &Action {
        &self.action
    }
}
