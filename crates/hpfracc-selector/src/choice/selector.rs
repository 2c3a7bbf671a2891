use super::candidate_plans::CandidatePlans;
use super::map::SelectorMap;
use crate::candidate::Candidate;
use crate::error::CandidatesError;
use crate::experience::Experience;
use crate::experience::candidate_list::{CandidateList, CandidateSet, Member};
use crate::experience::timings::{Timings, TimingsCache};
use crate::settings::Effort;
use crate::task::{Scalar, Subject};
use hpfracc_backend::{Backend, BackendError, Direction, Plan, Workload};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// A backend made of backends: an autotuner that passes each workload to the fastest candidate.
///
/// Expected times follow from a cost model of each candidate and from the executions so far, which
/// are stored in an [`Experience`]. A choice is made per workload, scalar type and direction, and
/// depends on the number of applications: a new map is bound to the candidate that is fastest for
/// the mean number of applications of this workload so far (one, if it was never run). It moves to
/// the candidate that is fastest per application once its accumulated loss reaches the price of
/// binding that one (ski rental). So a map never loses more than the price of one binding against
/// the best choice in hindsight.
///
/// Results are those of one of the candidates, which differ by rounding. While a choice is revised
/// or a candidate tried, two applications of one map may differ so; [`Effort::WisdomOnly`] rules
/// this out.
///
/// Limits: a candidate that has no algorithm for a workload or needs more memory than
/// [`MemoryLimits`](crate::MemoryLimits) allow is left out. One whose device fails rests for a
/// while, and the same input goes to the next candidate.
///
/// Memory: a bound map stores its kernel, if there are candidates to move to, and stays bound to
/// those that it has used. A selector stores statistics of the 4096 workloads used most recently,
/// some 5 KiB each.
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
#[derive(Clone)]
pub struct Selector<T> {
    pub(crate) backends: Arc<[Arc<dyn Backend<T>>]>,
    pub(crate) list: Arc<CandidateList>,
    pub(crate) experience: Arc<Experience>,
    cache: Arc<TimingsCache<Workload>>,
}

impl<T: Real> Selector<T> {
    /// A selector of these candidates, which stores its timings in `experience`.
    ///
    /// # Errors
    /// [`CandidatesError`] for two candidates of the same name, or more than 64.
    pub fn new(
        candidates: Vec<Candidate<T>>,
        experience: Arc<Experience>,
    ) -> Result<Self, CandidatesError> {
        if candidates.len() > CandidateSet::CAPACITY {
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
                experience.register(candidate.name(), &candidate.place, (scalar, prior.by_stage()));
            let name = candidate.name().to_owned();
            let (place, kinds) = (candidate.place.clone(), candidate.kinds.clone());
            Member { name, place, health, id, kinds }
        };
        let members = candidates.iter().map(member).collect();
        Ok(Self {
            cache: experience.open(),
            backends: candidates.into_iter().map(|c| c.backend).collect(),
            list: Arc::new(CandidateList { members, scalar }),
            experience,
        })
    }

    /// Names of the candidates, in the order given.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = &str> {
        self.list.members.iter().map(|member| member.name.as_str())
    }

    /// The experience that this selector uses and adds to.
    pub fn experience(&self) -> &Arc<Experience> {
        &self.experience
    }

    /// Name of the candidate preferred for the forward map of a workload, applied repeatedly. None
    /// if the workload was not used recently. A lookup that computes nothing, unless a wisdom file
    /// was loaded since.
    pub fn preferred(&self, workload: Workload) -> Option<&str> {
        let timings = self.cache.get(&workload)?;
        let i = self.experience.preferred(&timings, Direction::Forward)?;
        Some(&self.list.members[i].name)
    }

    pub(crate) fn timings(&self, workload: Workload) -> Arc<Timings> {
        let subject = || (Subject::Map(workload), Vec::new());
        self.experience.timings((&self.cache, &workload), &self.list, subject)
    }

    pub(crate) fn plans(&self, workload: Workload) -> Arc<CandidatePlans<T>> {
        let (experience, backends) = (Arc::clone(&self.experience), Arc::clone(&self.backends));
        let timings = (workload, self.timings(workload));
        Arc::new(CandidatePlans::new(experience, timings, backends))
    }
}

impl<T: Real> Backend<T> for Selector<T> {
    fn name(&self) -> &str {
        "selector"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        let _span = tracing::debug_span!("plan", %workload).entered();
        let plans = self.plans(workload);
        let effort = self.experience.settings().effort;
        if matches!(effort, Effort::Measure | Effort::Exhaustive) && !plans.look().measured {
            // Without memory for a measurement the model decides.
            if let Err(error) = self.measure(workload, effort) {
                tracing::debug!("{workload} was not measured: {error}");
            }
        }
        plans.plan_any()?;
        Ok(Arc::new(SelectorPlan(plans)))
    }
}

impl<T> fmt::Debug for Selector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.list.members.iter().map(|m| (&m.name, &m.place));
        f.debug_map().entries(names).finish()
    }
}

/// [`CandidatePlans`] as a plan.
struct SelectorPlan<T>(Arc<CandidatePlans<T>>);

impl<T: Real> Plan<T> for SelectorPlan<T> {
    fn workload(&self) -> Workload {
        self.0.workload
    }

    /// Bytes of the largest plan made so far, with a copy of the kernel if there are several
    /// candidates.
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn hpfracc_backend::LinearMap<T>>, BackendError> {
        let workload = self.0.workload;
        let _span = tracing::debug_span!("bind", %workload).entered();
        workload.check_kernel(kernel)?;
        Ok(Box::new(SelectorMap::bind(Arc::clone(&self.0), kernel)?))
    }
}
