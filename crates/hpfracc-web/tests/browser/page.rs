//! The page: what a user types, opens and drops, and what its tables and messages say.

use crate::chromium::Browser;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

const RELAXATION: &str = "D^0.5 y = -y; y(0) = 1; t in [0, 1]\nshow exact_y = exp(t) erfc(sqrt(t))";
const RETURNING: &str = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]";

pub(crate) fn check(browser: &mut Browser, address: &str, pictures: &Path) {
    std::fs::create_dir_all(pictures).expect("a folder for pictures");
    start(browser, address);
    relaxation(browser);
    browser.screenshot(&pictures.join("solution.png"));
    errors_in_a_text(browser);
    ensembles(browser, address);
    browser.screenshot(&pictures.join("ensemble.png"));
    links(browser, address);
    browser.screenshot(&pictures.join("phase.png"));
    data(browser);
    browser.screenshot(&pictures.join("derivative.png"));
}

/// Opens the page, and prints how long it takes to the first paint and the first numbers.
fn start(browser: &mut Browser, address: &str) {
    let begin = Instant::now();
    browser.open(address);
    browser.until("document.querySelectorAll('#numbers tbody tr').length > 1");
    let whole = begin.elapsed().as_secs_f64() * 1e3;
    let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";
    let paint = browser.evaluate(paint);
    println!("page: first paint after {paint} ms, first numbers in its table after {whole:.0} ms");
}

/// Types a text into the editor, and waits for numbers in the table with these names.
fn write(browser: &mut Browser, text: &str, names: &[&str]) {
    let text = json!(text);
    browser.evaluate(&format!(
        "(() => {{ const area = document.getElementById('text'); area.value = {text}; \
         area.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    ));
    until_columns(browser, "numbers", names);
}

fn until_columns(browser: &mut Browser, table: &str, names: &[&str]) {
    let names = json!(names);
    browser.until(&format!(
        "(() => {{ const found = [...document.querySelectorAll('#{table} thead th')].map((th) => th.textContent.trim()); \
         return {names}.every((name) => found.includes(name)) && document.querySelectorAll('#{table} tbody tr').length > 1; }})()"
    ));
}

/// Column of a table by its name.
fn column(browser: &mut Browser, table: &str, name: &str) -> Vec<f64> {
    let name = json!(name);
    let values = browser.evaluate(&format!(
        "(() => {{ const names = [...document.querySelectorAll('#{table} thead th')].map((th) => th.textContent.trim()); \
         const at = names.indexOf({name}); \
         return [...document.querySelectorAll('#{table} tbody tr')].map((tr) => Number(tr.children[at].textContent)); }})()"
    ));
    let numbers = values.as_array().unwrap_or_else(|| panic!("no column {name}: {values}"));
    numbers.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

/// Line below the picture: steps, scheme, time, place and speed.
fn state(browser: &mut Browser) -> String {
    let text =
        browser.evaluate("document.querySelector('#picture-panel .state')?.textContent ?? ''");
    text.as_str().unwrap_or_default().to_owned()
}

fn relaxation(browser: &mut Browser) {
    write(browser, RELAXATION, &["t", "y", "exact y"]);
    let [t, y, exact] = ["t", "y", "exact y"].map(|name| column(browser, "numbers", name));
    assert_eq!((t[0], *t.last().unwrap()), (0.0, 1.0));
    // exp(t) erfc(sqrt t) at 1, in ten digits.
    assert!((y.last().unwrap() - 0.427583576155807).abs() < 2e-10, "{:?}", y.last());
    assert!(y.iter().zip(&exact).all(|(y, exact)| (y - exact).abs() < 1e-9));
    println!("page: {}", state(browser));
}

fn errors_in_a_text(browser: &mut Browser) {
    browser.evaluate(
        "(() => { const area = document.getElementById('text'); area.value = \"x' = -rat x; rate = 1; x(0) = 1\"; \
         area.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    browser.until("document.querySelector('#editor-errors li')?.textContent.includes('did you mean') ?? false");
    write(browser, RELAXATION, &["t", "y", "exact y"]);
    browser.until("document.querySelectorAll('#editor-errors li').length === 0");
}

/// Opens a link in the open page.
fn follow(browser: &mut Browser, address: &str, state: &str) {
    browser.open("about:blank");
    browser.open(&format!("{address}/#{state}"));
}

/// Text in a link.
fn encoded(text: &str) -> String {
    let letter = |c: u8| match c {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(c).to_string(),
        c => format!("%{c:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// The same ensemble on the processor and on WebGPU.
fn ensembles(browser: &mut Browser, address: &str) {
    let text = encoded(RETURNING);
    let of = |browser: &mut Browser, place: &str| -> (Vec<f64>, String) {
        let link = format!("v=1&text={text}&show=fan&paths=20000&steps=100&seed=5&where={place}");
        follow(browser, address, &link);
        browser.until("document.querySelectorAll('#numbers tbody tr').length > 1");
        let names = browser.evaluate(
            "[...document.querySelectorAll('#numbers thead th')].map((th) => th.textContent.trim())",
        );
        let mean = names.as_array().unwrap().iter().filter_map(Value::as_str);
        let mean = mean.into_iter().find(|name| name.starts_with("mean")).map(str::to_owned);
        let mean = mean.unwrap_or_else(|| panic!("no mean among {names}"));
        (column(browser, "numbers", &mean), state(browser))
    };
    let (on_processor, line) = of(browser, "cpu");
    println!("page: {line}");
    assert!(line.contains("WebAssembly"), "{line}");
    // X(1) has the mean exp(-1); its standard deviation is below 0.36.
    let last = *on_processor.last().unwrap();
    assert!((last - (-1.0f64).exp()).abs() < 4.0 * 0.36 / (20_000.0f64).sqrt(), "{last}");
    if browser
        .evaluate("'gpu' in navigator && navigator.gpu.requestAdapter().then((it) => it !== null)")
        != json!(true)
    {
        println!("page: the browser has no WebGPU adapter");
        return;
    }
    let (on_gpu, line) = of(browser, "gpu");
    println!("page: {line}");
    assert!(line.contains("WebGPU"), "{line}");
    assert_eq!(on_gpu.len(), on_processor.len());
    for (a, b) in on_gpu.iter().zip(&on_processor) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

/// A shared link, and links made by hand with nonsense.
fn links(browser: &mut Browser, address: &str) {
    for nonsense in [
        "v=1&set=rho:abc&steps=-3&where=moon",
        "v=9",
        "%%%",
        "v=1&eq=no-such-equation",
        "v=1&z=AAAA",
    ] {
        follow(browser, address, nonsense);
        browser.until("document.querySelectorAll('#numbers tbody tr').length > 1");
        assert!(state(browser).len() > 3, "{nonsense}");
    }
    follow(
        browser,
        address,
        "v=1&eq=lorenz&set=rho:35&order=alpha:0.99&show=phase&axes=x,z&steps=2000",
    );
    until_columns(browser, "numbers", &["x", "z"]);
    let z = column(browser, "numbers", "z");
    assert!(z.len() > 50 && z.iter().all(|z| (-1.0..80.0).contains(z)), "{z:?}");
    assert_eq!(browser.evaluate("document.getElementById('tab-phase').ariaSelected"), "true");
}

/// A dropped file, and its derivative.
fn data(browser: &mut Browser) {
    browser.evaluate("document.getElementById('tab-derivative').click()");
    let rows: Vec<String> = (0..200).map(|j| format!("{0},{0}", f64::from(j) * 0.01)).collect();
    let file = json!(format!("t,x\n{}\n", rows.join("\n")));
    browser.evaluate(&format!(
        "(() => {{ const transfer = new DataTransfer(); \
         transfer.items.add(new File([{file}], 'line.csv', {{ type: 'text/csv' }})); \
         document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {{ dataTransfer: transfer, bubbles: true, \
         cancelable: true }})); }})()"
    ));
    browser.until("document.querySelectorAll('#derivative-numbers tbody tr').length > 1");
    let rows = browser.evaluate(
        "[...document.querySelectorAll('#derivative-numbers tbody tr')].map((tr) => [...tr.children].map((cell) => \
         Number(cell.textContent)))",
    );
    // Some order of the derivative of t: t^(1 - order)/Gamma(2 - order), positive and increasing or constant.
    let rows = rows.as_array().unwrap();
    let last = rows.last().unwrap().as_array().unwrap();
    assert!((last[0].as_f64().unwrap() - 1.99).abs() < 1e-9, "{last:?}");
    assert!(last[1..].iter().any(|x| x.as_f64().is_some_and(|x| x > 0.5)), "{last:?}");
}
