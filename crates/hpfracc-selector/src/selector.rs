use crate::candidate::Candidate;
use crate::error::CandidatesError;
use crate::experience::Experience;
use crate::plan::Choices;
use crate::roster::{Member, Roster, Set};
use crate::settings::Effort;
use crate::site::{Site, Sites};
use crate::task::Scalar;
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// A backend made of backends: hands each workload to the candidate that is expected to be quickest.
///
/// What is expected follows from a model of each candidate's cost and from the executions seen so
/// far, which an [`Experience`] keeps. A choice is made per workload, scalar type and direction, and
/// depends on how often a map is applied: a new map is bound to the candidate that is quickest for
/// the number of applications usual for this workload (one, if it was never seen), and moves to the
/// one that is quickest when repeated once what it has lost so far would have paid for binding that.
/// So a map never loses more than the price of one binding against knowing in advance.
///
/// Results are those of one of the candidates, which differ by rounding. While a choice is revised
/// or a candidate tried, two applications of one map may differ so; [`Effort::WisdomOnly`] rules
/// this out.
///
/// Limits: a candidate that has no algorithm for a workload or needs more memory than
/// [`Limits`](crate::Limits) allows is left out. One whose device fails is given a rest, and the same
/// input goes to the next.
///
/// Memory: a bound map keeps its kernel, if there are candidates to move to, and stays bound to
/// those that it has used. Besides what its plans and maps hold, a selector keeps statistics of the 4096
/// workloads that were planned or asked about last, some 5 KiB each.
///
/// ```
/// use hpfracc_backend::{Backend, LinearMap, Plan, Reference, Workload};
/// use hpfracc_selector::{Candidate, Experience, Prior, Selector, Settings};
///
/// let experience = Experience::new(Settings::default());
/// let loops = Candidate::new(Reference, Prior::LOOPS);
/// let selector = Selector::<f64>::new(vec![loops], experience)?;
///
/// let workload = Workload::CausalConvolution { len: 3, batch: 1 };
/// let sum = selector.plan(workload)?.bind(&[1.0, 1.0, 1.0])?;
/// let mut y = [0.0; 3];
/// sum.apply(&[1.0, 2.0, 3.0], &mut y)?;
/// assert_eq!(y, [1.0, 3.0, 6.0]);
/// println!("{}", selector.explain(workload)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Selector<T> {
    pub(crate) backends: Arc<[Arc<dyn Backend<T>>]>,
    pub(crate) roster: Arc<Roster>,
    sites: Arc<Sites>,
}

impl<T> Clone for Selector<T> {
    fn clone(&self) -> Self {
        Self {
            backends: Arc::clone(&self.backends),
            roster: Arc::clone(&self.roster),
            sites: Arc::clone(&self.sites),
        }
    }
}

impl<T: Real> Selector<T> {
    /// A selector of these candidates, which learns into `experience`.
    ///
    /// # Errors
    /// [`CandidatesError`] for two candidates of one name, or more than 64.
    pub fn new(
        candidates: Vec<Candidate<T>>,
        experience: Arc<Experience>,
    ) -> Result<Self, CandidatesError> {
        if candidates.len() > Set::CAPACITY {
            return Err(CandidatesError::TooMany { found: candidates.len() });
        }
        for (i, candidate) in candidates.iter().enumerate() {
            if candidates[..i].iter().any(|other| other.name() == candidate.name()) {
                return Err(CandidatesError::SameName { name: candidate.name().to_owned() });
            }
        }
        let scalar = Scalar::of::<T>();
        let member = |candidate: &Candidate<T>| {
            let prior = match scalar {
                Scalar::F32 => candidate.prior.single(),
                Scalar::F64 => candidate.prior,
            };
            let (id, health) =
                experience.enter(candidate.name(), &candidate.place, (scalar, prior));
            let name = candidate.name().to_owned();
            let (place, kinds) = (candidate.place.clone(), candidate.kinds.clone());
            Member { name, place, health, id, kinds }
        };
        let members = candidates.iter().map(member).collect();
        Ok(Self {
            sites: experience.open(),
            backends: candidates.into_iter().map(|c| c.backend).collect(),
            roster: Arc::new(Roster { members, scalar, experience }),
        })
    }

    /// Names of the candidates, in the order given.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = &str> {
        self.roster.members.iter().map(|member| member.name.as_str())
    }

    /// What was learned.
    pub fn experience(&self) -> &Arc<Experience> {
        &self.roster.experience
    }

    /// Name of the candidate preferred for the forward map of a workload, applied repeatedly, if
    /// that workload was planned or asked about lately: a lookup, without any work unless wisdom has been
    /// read since.
    pub fn preferred(&self, workload: Workload) -> Option<&str> {
        let i = self.sites.preferred(workload)?;
        Some(&self.roster.members[i].name)
    }

    pub(crate) fn site(&self, workload: Workload) -> Arc<Site> {
        self.sites.site(workload, &self.roster)
    }

    pub(crate) fn choices(&self, workload: Workload) -> Arc<Choices<T>> {
        Arc::new(Choices::new(self.site(workload), Arc::clone(&self.backends)))
    }
}

impl<T: Real> Backend<T> for Selector<T> {
    fn name(&self) -> &str {
        "selector"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        let _span = tracing::debug_span!("plan", %workload).entered();
        let choices = self.choices(workload);
        let effort = self.roster.experience.settings().effort;
        if matches!(effort, Effort::Measure | Effort::Exhaustive) && !choices.site.is_measured() {
            // Too little memory to measure in is no reason not to plan: the model decides.
            if let Err(error) = self.measure(workload, effort) {
                tracing::debug!("{workload} was not measured: {error}");
            }
        }
        choices.first()?;
        Ok(Arc::new(ChoicePlan(choices)))
    }
}

impl<T> fmt::Debug for Selector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.roster.members.iter().map(|m| (&m.name, &m.place));
        f.debug_map().entries(names).finish()
    }
}

/// [`Choices`] behind the trait of plans.
struct ChoicePlan<T>(Arc<Choices<T>>);

impl<T: Real> Plan<T> for ChoicePlan<T> {
    fn workload(&self) -> Workload {
        self.0.site.workload
    }

    /// Of the largest plan made so far, with a copy of the kernel if there are several candidates.
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn hpfracc_backend::LinearMap<T>>, BackendError> {
        let workload = self.0.site.workload;
        let _span = tracing::debug_span!("bind", %workload).entered();
        workload.check_kernel(kernel)?;
        Ok(Box::new(crate::map::ChoiceMap::bind(Arc::clone(&self.0), kernel)?))
    }
}
