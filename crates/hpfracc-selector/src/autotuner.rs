//! Choosing between methods of a solver: [`Autotuner`] for an experience.

use crate::candidate::Place;
use crate::cost::features::TERMS;
use crate::experience::candidate_list::{CandidateList, CandidateSet, Member};
use crate::experience::events::Occurrence;
use crate::experience::timings::Timings;
use crate::experience::{Experience, TunedWork};
use crate::report::explain::{ExplainedTask, Explanation, Question};
use crate::task::{Scalar, Subject, Usage, WorkSizes};
use hpfracc_backend::{Autotuner, CostTerm, Direction, Method, Work};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// Number of executions after which a trial that was not recorded is given up.
const ABANDONED: u64 = 16;

const FORWARD: Direction = Direction::Forward;

/// Choices between methods with the cost models, the exploration rule, the history and the wisdom
/// of those between backends. Costs one to two microseconds a choice and as much a record.
impl Autotuner for Experience {
    fn choose(&self, work: &Work<'_>) -> usize {
        if work.methods.len() < 2 {
            return 0;
        }
        let timings = self.tuned_timings(work);
        let mut statistics = self.look(&timings);
        let awake = timings.list.awake(self.now()).or_if_empty(timings.list.all());
        if let Some(method) = statistics.begin_trial(FORWARD, awake) {
            return method;
        }
        statistics.catch_up();
        statistics.best(&timings.list, FORWARD, awake).unwrap_or(0)
    }

    fn record(&self, work: &Work<'_>, method: usize, seconds: f64) {
        let known = work.methods.len().min(CandidateSet::CAPACITY);
        if !self.settings().learns() || method >= known || seconds.is_nan() || seconds <= 0.0 {
            return;
        }
        let timings = self.tuned_timings(work);
        // One execution is one reading.
        self.record_execution(&timings, FORWARD, method, (seconds * 1e9) as u64);
        let mut statistics = self.look(&timings);
        if statistics.trial_is_over(FORWARD, method, ABANDONED) {
            statistics.end_trial(FORWARD);
        }
        if timings.list.members[method].health.recover() {
            statistics.report(method, Occurrence::Recovered);
        }
    }
}

impl Experience {
    /// The method that a piece of work would be given now, and why: the table of
    /// [`Selector::explain`](crate::Selector::explain) for methods.
    pub fn explain_work(&self, work: &Work<'_>) -> Explanation {
        let timings = self.tuned_timings(work);
        let mut statistics = self.look(&timings);
        statistics.update_forecasts();
        let task = ExplainedTask::Work(Arc::new(WorkSizes::of(work)));
        let question = Question::new(&timings, &statistics, (FORWARD, Usage::Repeated));
        let sets = (timings.list.all(), timings.list.awake(self.now()));
        question.explanation(task, sets, |_| Ok(None))
    }

    /// Records that a method failed and that another one took over: an event in the [history](Self::history). The
    /// method is not chosen until it has rested, for a second after its first failure and twice as long after each further
    /// one; returns the rest. An index out of range is ignored.
    pub fn record_failure(&self, work: &Work<'_>, method: usize, error: &str) -> Duration {
        let timings = self.tuned_timings(work);
        let Some(member) = timings.list.members.get(method) else { return Duration::ZERO };
        let rest = member.health.fail(self.now());
        self.report(&timings, method, Occurrence::Failed { error: error.to_owned(), rest });
        rest
    }

    /// The timings of a piece of work, with its methods registered.
    fn tuned_timings(&self, work: &Work<'_>) -> Arc<Timings> {
        let tuned = self.tuned_work(work);
        let key: Vec<u64> = work.sizes.iter().map(|&(_, size)| size).collect();
        self.timings((&tuned.timings, &key), &tuned.list, || {
            let counts = methods(work).map(|m| terms(m, |term| term.count)).collect();
            (Subject::Work(Arc::new(WorkSizes::of(work))), counts)
        })
    }

    /// The kind of work, by name, scalar, sizes and methods; new if there is none.
    fn tuned_work(&self, work: &Work<'_>) -> Arc<TunedWork> {
        let scalar = Scalar::named(work.scalar);
        let is_same = |known: &&Arc<TunedWork>| {
            let members = &known.list.members;
            known.name == work.name
                && known.list.scalar == scalar
                && known.sizes.iter().eq(work.sizes.iter().map(|(name, _)| name))
                && members.iter().map(|m| m.name.as_str()).eq(methods(work).map(|m| m.name))
        };
        let known = self.tuned.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter().find(is_same) {
            return Arc::clone(known);
        }
        drop(known);
        let member = |method: &Method<'_>| Member {
            name: method.name.to_owned(),
            place: Place::Host,
            health: self.health_of(&format!("method {}", method.name)),
            id: self.register_method(
                method.name,
                work.name,
                (scalar, terms(method, |term| term.seconds)),
            ),
            kinds: None,
        };
        let list = CandidateList { members: methods(work).map(member).collect(), scalar };
        let sizes = work.sizes.iter().map(|&(name, _)| name.to_owned()).collect();
        let made = Arc::new(TunedWork {
            name: work.name.to_owned(),
            sizes,
            list: Arc::new(list),
            timings: Default::default(),
        });
        let mut known = self.tuned.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(known) = known.iter().find(is_same) {
            return Arc::clone(known);
        }
        known.push(Arc::clone(&made));
        made
    }
}

/// The methods that are considered.
fn methods<'a>(work: &Work<'a>) -> impl Iterator<Item = &'a Method<'a>> {
    work.methods.iter().take(CandidateSet::CAPACITY)
}

/// A number of each term; zero for what is not positive or not finite.
fn terms(method: &Method<'_>, of: impl Fn(&CostTerm) -> f64) -> [f64; TERMS] {
    let mut numbers = [0.0; TERMS];
    for (number, term) in numbers.iter_mut().zip(method.terms) {
        let value = of(term);
        if value.is_finite() && value > 0.0 {
            *number = value;
        }
    }
    numbers
}
