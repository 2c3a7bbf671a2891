//! The explorer for JavaScript.

use crate::Explorer;
use js_sys::Float64Array;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(message: &str);
}

/// The explorer of a worker.
#[wasm_bindgen(js_name = Explorer)]
#[derive(Debug, Default)]
pub struct JsExplorer(Explorer);

/// Answer with its numbers.
#[wasm_bindgen(js_name = Answered)]
#[derive(Debug)]
pub struct JsAnswered(crate::Answered);

#[wasm_bindgen(js_class = Explorer)]
impl JsExplorer {
    /// An explorer without experience. A panic, which ends the module, is an error in the console.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
        Self::default()
    }

    /// See [`Explorer::answer`].
    pub fn answer(&self, kind: &str, request: &str, numbers: &[f64]) -> JsAnswered {
        JsAnswered(self.0.answer(kind, request, numbers))
    }
}

#[cfg(feature = "webgpu")]
#[wasm_bindgen(js_class = Explorer)]
impl JsExplorer {
    /// See [`Explorer::open_gpu`]; undefined where there is no GPU.
    #[wasm_bindgen(js_name = openGpu)]
    pub async fn open_gpu(&mut self) -> Option<String> {
        self.0.open_gpu().await.ok()
    }

    /// See [`Explorer::answer_async`].
    #[wasm_bindgen(js_name = answerAsync)]
    pub async fn answer_async(
        &self,
        kind: String,
        request: String,
        numbers: Vec<f64>,
    ) -> JsAnswered {
        JsAnswered(self.0.answer_async(&kind, &request, &numbers).await)
    }
}

#[wasm_bindgen(js_class = Answered)]
impl JsAnswered {
    /// Answer or error as JSON.
    #[wasm_bindgen(getter)]
    pub fn json(&self) -> String {
        self.0.json.clone()
    }

    /// Copy of the numbers, outside of the module's memory.
    #[wasm_bindgen(getter)]
    pub fn numbers(&self) -> Float64Array {
        Float64Array::from(&self.0.numbers[..])
    }
}
