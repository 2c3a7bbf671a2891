//! Images of coloured cells behind the shapes of a picture.

use png::EncodingError;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

/// Colours of the indices of a raster.
pub(crate) type Palette = [[u8; 3]; 256];

/// Image of palette indices, placed in pixels of the picture.
pub(crate) struct Raster {
    /// Pixels left of and above the image.
    pub(crate) left: u32,
    pub(crate) top: u32,
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// Indices into the palette, row after row from the top.
    pub(crate) indices: Vec<u8>,
    pub(crate) palette: Box<Palette>,
}

impl Raster {
    /// Element of an SVG, in whose coordinates a pixel has this length.
    pub(super) fn to_svg(&self, pixel: u32) -> Result<String, EncodingError> {
        let [left, top, width, height] =
            [self.left, self.top, self.size.0, self.size.1].map(|length| length * pixel);
        let data = base64(&self.to_png()?);
        Ok(format!(
            "<image x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{data}\"/>\n"
        ))
    }

    fn to_png(&self) -> Result<Vec<u8>, EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, self.size.1);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.palette.as_flattened());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.indices)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Copies the image into the pixels of a picture; what lies outside of it is cut.
    pub(super) fn paint(&self, picture: &mut Pixmap) {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let (left, top, columns) = (self.left as usize, self.top as usize, self.size.0 as usize);
        let pixels = picture.pixels_mut();
        for (row, indices) in self.indices.chunks_exact(columns.max(1)).enumerate() {
            if top + row >= height {
                break;
            }
            let line = &mut pixels[(top + row) * width..(top + row + 1) * width];
            for (pixel, index) in line.iter_mut().skip(left).zip(indices) {
                let [red, green, blue] = self.palette[usize::from(*index)];
                // Opaque colours are their own premultiplied ones.
                if let Some(color) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
                    *pixel = color;
                }
            }
        }
    }
}

/// Base64 of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            (0..3).fold(0, |group, k| group << 8 | chunk.get(k).map_or(0, |b| u32::from(*b)));
        for k in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_the_vectors_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn images_beyond_the_picture_are_cut() {
        let mut palette = Box::new([[0; 3]; 256]);
        palette[1] = [10, 20, 30];
        let raster = Raster { left: 1, top: 1, size: (3, 3), indices: vec![1; 9], palette };
        let mut picture = Pixmap::new(2, 2).unwrap();
        raster.paint(&mut picture);
        assert_eq!(&picture.data()[..12], [0; 12]);
        assert_eq!(&picture.data()[12..], [10, 20, 30, 255]);
    }
}
