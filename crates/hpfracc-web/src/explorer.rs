use crate::failure::Failure;
use crate::requests;
use crate::transfer::Numbers;
use hpfracc::Machine;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// `{"answer": ...}`, or `{"error": {"message": ..., "from": ..., "to": ...}}` with the place in the text of the
    /// equation in UTF-16 units.
    pub json: String,
    /// Numbers at the [places](crate::Place) of the answer.
    pub numbers: Vec<f64>,
}

/// What answers requests, with what it learns from them.
///
/// ```
/// use hpfracc_web::Explorer;
///
/// let answered = Explorer::new().answer("check", r#"{"text": "y' = -rat y; rate = 1; y(0) = 1"}"#, &[]);
/// let json: serde_json::Value = serde_json::from_str(&answered.json)?;
/// let error = &json["answer"]["errors"][0];
/// assert_eq!(error["message"], "unknown name `rat`: did you mean `rate`?");
/// assert_eq!((&error["from"], &error["to"]), (&6.into(), &9.into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    /// Backends of operators; learns which is the fastest.
    machine: Machine,
    #[cfg(feature = "webgpu")]
    gpu: Option<hpfracc::OnGpuAsync>,
}

impl Default for Explorer {
    fn default() -> Self {
        Self::new()
    }
}

impl Explorer {
    /// An explorer without experience.
    pub fn new() -> Self {
        Self {
            machine: Machine::detect(),
            #[cfg(feature = "webgpu")]
            gpu: None,
        }
    }

    /// Answers a request of this kind, given as JSON with the numbers that it refers to.
    ///
    /// Whatever the input is, it returns: an unknown kind, JSON that cannot be read, an unknown name or value, a budget that
    /// does not suffice and every error of a solver are errors in the JSON.
    pub fn answer(&self, kind: &str, request: &str, numbers: &[f64]) -> Answered {
        self.answer_until(kind, request, numbers, &Arc::default())
    }

    /// As [`answer`](Self::answer), until another thread raises `cancel`: then the request ends as at its limit of time, with
    /// what it has or with an error.
    ///
    /// ```
    /// use hpfracc_web::Explorer;
    /// use std::sync::{Arc, atomic::AtomicBool};
    ///
    /// let request = r#"{"text": "y' = -y; y(0) = 1; t in [0, 1]", "steps": 100, "scheme": "trapezoid"}"#;
    /// let cancelled = Arc::new(AtomicBool::new(true));
    /// let answered = Explorer::new().answer_until("solve", request, &[], &cancelled);
    /// let json: serde_json::Value = serde_json::from_str(&answered.json)?;
    /// assert_eq!(json["answer"]["complete"], false);
    /// assert!(json["answer"]["notes"][0].as_str().unwrap().starts_with("cancelled at t = "));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn answer_until(
        &self,
        kind: &str,
        request: &str,
        numbers: &[f64],
        cancel: &Arc<AtomicBool>,
    ) -> Answered {
        let mut results = Numbers::default();
        let call = Call { request, numbers, results: &mut results };
        let answer = self.json(kind, call, cancel);
        Answered::new(answer, results)
    }

    fn json(
        &self,
        kind: &str,
        call: Call<'_>,
        cancel: &Arc<AtomicBool>,
    ) -> Result<String, Failure> {
        use requests::Nothing;
        match kind {
            "about" => call.of(|Nothing {}, _, _| Ok(requests::about())),
            "catalogue" => call.of(|Nothing {}, _, _| Ok(requests::catalogue())),
            "check" => call.of(|request, _, _| Ok(requests::check(&request))),
            "solve" => call.of(|request, _, results| requests::solve(&request, cancel, results)),
            "ensemble" => {
                call.of(|request, _, results| requests::ensemble(&request, cancel, results))
            }
            "scan" => call.of(|request, _, results| requests::scan(&request, cancel, results)),
            "operators" => call.of(|Nothing {}, _, _| Ok(requests::operators())),
            "derivative" => call.of(|request, all, results| {
                requests::derivative(&request, &self.machine, all, results)
            }),
            "model" => call.of(|request, _, _| requests::model(&request)),
            "models" => call.of(|Nothing {}, _, _| requests::models()),
            "fit" => call.of(|request, all, results| requests::fit(&request, cancel, all, results)),
            _ => Err(Failure::new(format!("`{kind}` is no kind of request"))),
        }
    }
}

/// Ensembles on a GPU.
#[cfg(feature = "webgpu")]
impl Explorer {
    /// Opens the best adapter, and returns its name, which may be empty. Software adapters are opened, too, and are only used
    /// where a request says so.
    ///
    /// # Errors
    /// The reason why there is none.
    pub async fn open_gpu(&mut self) -> Result<String, String> {
        let gpu = hpfracc::gpu::Gpu::request(hpfracc::gpu::GpuOptions::default()).await;
        let gpu = gpu.map_err(|error| error.to_string())?;
        let name = gpu.name().to_owned();
        self.gpu = Some(hpfracc::OnGpuAsync::new(gpu));
        Ok(name)
    }

    /// As [`answer`](Self::answer), without blocking while a GPU computes an ensemble.
    pub async fn answer_async(&self, kind: &str, request: &str, numbers: &[f64]) -> Answered {
        if kind != "ensemble" {
            return self.answer(kind, request, numbers);
        }
        let mut results = Numbers::default();
        let answer = self.ensemble(request, &mut results).await;
        Answered::new(answer, results)
    }

    async fn ensemble(&self, request: &str, results: &mut Numbers) -> Result<String, Failure> {
        let request = read(request)?;
        let solved = requests::ensemble_anywhere(&request, self.gpu.as_ref(), results).await?;
        Ok(serde_json::to_string(&solved)?)
    }
}

impl Answered {
    fn new(answer: Result<String, Failure>, numbers: Numbers) -> Self {
        match answer {
            Ok(answer) => {
                Self { json: format!("{{\"answer\":{answer}}}"), numbers: numbers.into_inner() }
            }
            Err(failure) => {
                let error = serde_json::to_string(&failure).unwrap_or_default();
                Self { json: format!("{{\"error\":{error}}}"), numbers: vec![] }
            }
        }
    }
}

fn read<R: DeserializeOwned>(request: &str) -> Result<R, Failure> {
    serde_json::from_str(request)
        .map_err(|error| Failure::new(format!("the request cannot be read: {error}")))
}

/// Request before it is read.
struct Call<'a> {
    request: &'a str,
    numbers: &'a [f64],
    results: &'a mut Numbers,
}

impl Call<'_> {
    /// Reads the request and writes its answer.
    fn of<R: DeserializeOwned, A: Serialize>(
        self,
        compute: impl FnOnce(R, &[f64], &mut Numbers) -> Result<A, Failure>,
    ) -> Result<String, Failure> {
        let answer = compute(read(self.request)?, self.numbers, self.results)?;
        Ok(serde_json::to_string(&answer)?)
    }
}
