//! The explorer for JavaScript.

use crate::Explorer;
use js_sys::Float64Array;
use wasm_bindgen::prelude::wasm_bindgen;

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
    /// An explorer without experience.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// See [`Explorer::answer`].
    pub fn answer(&self, kind: &str, request: &str, numbers: &[f64]) -> JsAnswered {
        JsAnswered(self.0.answer(kind, request, numbers))
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
