//! Places where each of the indices of a thread can fault.

use crate::mir::{Site, SiteId};
use rustc_hash::FxHashMap as HashMap;

/// The sites of indices but the first, which has those of the kernel.
#[derive(Default)]
pub(super) struct LaneSites(HashMap<(SiteId, u32), SiteId>);

impl LaneSites {
    /// The site of an index, added to the others if it is new.
    pub fn of(&mut self, sites: &mut Vec<Site>, site: SiteId, lane: u32) -> SiteId {
        if lane == 0 {
            return site;
        }
        *self.0.entry((site, lane)).or_insert_with(|| {
            let of = sites[site.0 as usize];
            sites.push(Site { lane, ..of });
            SiteId(sites.len() as u32 - 1)
        })
    }
}
