//! The queues that a device is used with.
//!
//! A device is opened with few of them: NVIDIA's driver takes 20 to 30 ms to make one, which every
//! process would wait for at its start. Queues cannot be added later.

use ash::vk;

/// Says how many queues there are for kernels.
const VARIABLE: &str = "AMP_QUEUES";
/// More than this are not opened.
const MOST: u32 = 16;

/// How many queues for kernels to open of a device that has as many.
pub(super) fn wanted() -> u32 {
    parse(std::env::var(VARIABLE).ok().as_deref())
}

fn parse(value: Option<&str>) -> u32 {
    let count = value.and_then(|value| value.parse().ok());
    count.unwrap_or(1).clamp(1, MOST)
}

/// Queues of one family for kernels, and one for transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queues {
    /// The family of those that run kernels.
    pub(super) family: u32,
    /// Number of the first one within the family.
    pub(super) first: u32,
    /// How many there are.
    pub(super) count: u32,
    /// Bits of their timestamps that are valid.
    pub(super) tick_bits: u32,
    /// Where large transfers go, beside the kernels.
    pub(super) transfers: Option<TransferQueue>,
}

/// A queue for transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TransferQueue {
    pub(super) family: u32,
    /// Number within the family.
    pub(super) index: u32,
    /// Bits of its timestamps that are valid.
    pub(super) tick_bits: u32,
}

impl Queues {
    /// Those to open of a device with these families, if it has one that computes: so many for
    /// kernels at most.
    pub(super) fn choose(families: &[vk::QueueFamilyProperties], most: u32) -> Option<Self> {
        // A family for computing alone runs beside the display's work, if there is one.
        let compute = |family: &vk::QueueFamilyProperties| {
            family.queue_count > 0 && family.queue_flags.contains(vk::QueueFlags::COMPUTE)
        };
        let alone = |family: &vk::QueueFamilyProperties| {
            compute(family) && !family.queue_flags.contains(vk::QueueFlags::GRAPHICS)
        };
        let family = families
            .iter()
            .position(alone)
            .or_else(|| families.iter().position(compute))?;
        let queue = families[family];
        // A family for transfers alone is an engine that copies; else another queue of the
        // family lets copies overlap with kernels where the device can.
        use vk::QueueFlags as Does;
        let others = Does::GRAPHICS
            | Does::COMPUTE
            | Does::VIDEO_DECODE_KHR
            | Does::VIDEO_ENCODE_KHR
            | Does::OPTICAL_FLOW_NV;
        let transfers = families.iter().position(|family| {
            let does = family.queue_flags;
            family.queue_count > 0 && does.contains(Does::TRANSFER) && !does.intersects(others)
        });
        let (count, transfers) = match (transfers, queue.queue_count) {
            (Some(family), count) => (count, Some((family, 0))),
            (None, 1) => (1, None),
            (None, count) => (count - 1, Some((family, (count - 1).min(most)))),
        };
        Some(Self {
            family: family as u32,
            first: 0,
            count: count.min(most),
            tick_bits: queue.timestamp_valid_bits,
            transfers: transfers.map(|(family, index)| TransferQueue {
                family: family as u32,
                index,
                tick_bits: families[family].timestamp_valid_bits,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(flags: vk::QueueFlags, count: u32) -> vk::QueueFamilyProperties {
        vk::QueueFamilyProperties {
            queue_flags: flags,
            queue_count: count,
            timestamp_valid_bits: 36,
            ..Default::default()
        }
    }

    /// The kernels' family and how many they are, and the family and number of the queue for
    /// transfers.
    type Chosen = (u32, u32, Option<(u32, u32)>);

    fn chosen(families: &[vk::QueueFamilyProperties]) -> Option<Chosen> {
        let queues = Queues::choose(families, 4)?;
        let transfers = queues.transfers.map(|it| (it.family, it.index));
        Some((queues.family, queues.count, transfers))
    }

    #[test]
    fn kernels_and_transfers_keep_out_of_the_way_of_others() {
        use vk::QueueFlags as Does;
        let all = Does::GRAPHICS | Does::COMPUTE | Does::TRANSFER;
        let alone = Does::COMPUTE | Does::TRANSFER;
        let video = Does::TRANSFER | Does::VIDEO_DECODE_KHR;
        assert_eq!(chosen(&[family(all, 1)]), Some((0, 1, None)));
        assert_eq!(chosen(&[family(all, 2)]), Some((0, 1, Some((0, 1)))));
        assert_eq!(chosen(&[family(all, 16)]), Some((0, 4, Some((0, 4)))));
        let many = [
            family(all, 16),
            family(video, 1),
            family(Does::TRANSFER, 2),
            family(alone, 8),
        ];
        assert_eq!(chosen(&many), Some((3, 4, Some((2, 0)))));
        assert_eq!(chosen(&many[..2]), Some((0, 4, Some((0, 4)))));
        assert_eq!(chosen(&many[1..3]), None);
        assert_eq!(chosen(&[]), None);
        let one = Queues::choose(&many, 1).map(|it| (it.count, it.transfers.is_some()));
        assert_eq!(one, Some((1, true)));
    }

    #[test]
    fn there_is_one_queue_unless_more_are_asked_for() {
        let asked = [
            None,
            Some(""),
            Some("many"),
            Some("0"),
            Some("4"),
            Some("99"),
        ];
        assert_eq!(asked.map(parse), [1, 1, 1, 1, 4, MOST]);
    }
}
