pub mod elementary;
pub mod product;
