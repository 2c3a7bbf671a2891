//! An app that owns a GPU device and draws with it, independent of fractional calculus.

use std::error::Error;
use wgpu::{
    Adapter, BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor,
    BufferUsages, Color, Device, Extent3d, Features, Instance, InstanceDescriptor, LoadOp, MapMode,
    Operations, PollType, Queue, RenderPassColorAttachment, RenderPassDescriptor, RenderPipeline,
    StoreOp, TexelCopyBufferInfo, TexelCopyBufferLayout, Texture, TextureFormat, TextureUsages,
    TextureViewDescriptor,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Alignment of the rows of a picture in bytes: 64 pixels of four bytes.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT / 4;

/// Size of the picture in pixels. Rows are aligned without padding, which avoids a copy.
pub(crate) const WIDTH: u32 = 15 * ROW_ALIGNMENT;
pub(crate) const HEIGHT: u32 = 880;

const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Line through points in pixels from the upper left corner.
pub(crate) struct Line {
    pub(crate) points: Vec<[f32; 2]>,
    pub(crate) half_width: f32,
    /// Red, green, blue and opacity, from 0 to 1.
    pub(crate) colour: [f32; 4],
}

/// App with its device and pipeline.
pub(crate) struct App {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pipeline: RenderPipeline,
}

impl App {
    /// Opens a device; `None` on a computer without an adapter.
    pub(crate) fn open() -> Outcome<Option<Self>> {
        let instance = Instance::new(InstanceDescriptor::new_without_display_handle());
        let Ok(adapter) = pollster::block_on(instance.request_adapter(&Default::default())) else {
            return Ok(None);
        };
        Self::on(&adapter).map(Some)
    }

    fn on(adapter: &Adapter) -> Outcome<Self> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("the app's device"),
            // Requested for hpfracc; the app itself does not need them.
            required_features: adapter.features() & Features::SHADER_F64,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let module = device.create_shader_module(wgpu::include_wgsl!("app.wgsl"));
        let blended = wgpu::ColorTargetState {
            format: FORMAT,
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("ribbons"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("ribbon"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fill"),
                compilation_options: Default::default(),
                targets: &[Some(blended)],
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self { device, queue, pipeline })
    }

    /// Draws the lines, later ones over earlier ones, and returns the picture: rows of pixels of four
    /// bytes.
    pub(crate) fn draw(&self, background: Color, lines: &[Line]) -> Outcome<Vec<u8>> {
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&TextureViewDescriptor::default());
        let bound: Vec<BindGroup> = lines.iter().map(|line| self.bind(line)).collect();

        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: Operations { load: LoadOp::Clear(background), store: StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        for (line, bound) in lines.iter().zip(&bound) {
            pass.set_bind_group(0, bound, &[]);
            pass.draw(0..2 * line.points.len() as u32, 0..1);
        }
        drop(pass);
        let pixels = self
            .buffer(u64::from(4 * WIDTH * HEIGHT), BufferUsages::COPY_DST | BufferUsages::MAP_READ);
        copy(&mut encoder, &texture, &pixels);
        self.queue.submit([encoder.finish()]);
        pixels.map_async(MapMode::Read, .., |_| ());
        self.device.poll(PollType::wait_indefinitely())?;
        Ok(pixels.get_mapped_range(..)?.to_vec())
    }

    fn bind(&self, line: &Line) -> BindGroup {
        let [red, green, blue, opaque] = line.colour;
        let style = [red, green, blue, opaque, WIDTH as f32, HEIGHT as f32, line.half_width, 0.0];
        let filled = |values: &[u8], usage| {
            let buffer = self.buffer(values.len() as u64, usage | BufferUsages::COPY_DST);
            self.queue.write_buffer(&buffer, 0, values);
            buffer
        };
        let points = filled(bytemuck::cast_slice(&line.points), BufferUsages::STORAGE);
        let style = filled(bytemuck::cast_slice(&style), BufferUsages::UNIFORM);
        let entry = |binding, resource| BindGroupEntry { binding, resource };
        self.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[entry(0, points.as_entire_binding()), entry(1, style.as_entire_binding())],
        })
    }

    fn buffer(&self, size: u64, usage: BufferUsages) -> Buffer {
        let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.device.create_buffer(&descriptor)
    }
}

fn copy(encoder: &mut wgpu::CommandEncoder, texture: &Texture, pixels: &Buffer) {
    let rows = TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * WIDTH),
        rows_per_image: Some(HEIGHT),
    };
    let target = TexelCopyBufferInfo { buffer: pixels, layout: rows };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
}
