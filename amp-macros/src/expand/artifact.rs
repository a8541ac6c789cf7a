//! The compiled kernel as a Rust expression.

use amp_spirv::artifact::{Artifact, FaultKind, FaultSite, FloatFaults, Message, Param, ParamKind};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// An expression of type `Artifact` that can stand in a `static`.
pub fn tokens(artifact: &Artifact, in_lockstep: bool) -> TokenStream {
    let Artifact {
        name,
        rank,
        tiled,
        index,
        float_faults: FloatFaults(float_faults),
        has_barrier,
        pointwise,
        block_bytes,
        spilled,
        print_words,
        ..
    } = artifact;
    let spirv = Literal::byte_string(&artifact.spirv);
    let params = artifact.params.iter().map(param);
    let files = artifact.files.iter().map(|file| borrowed(file));
    let faults = artifact.faults.iter().map(fault);
    let messages = artifact.messages.iter().map(message);
    let constant_bytes = artifact.constant_bytes.iter();
    let features = artifact.features.iter().map(|feature| {
        // The variants have no data: their names are their tokens.
        let name = Ident::new(&format!("{feature:?}"), Span::call_site());
        quote!(::amp::__private::Feature::#name)
    });
    let [nodes, checks] =
        [&artifact.proofs.nodes, &artifact.proofs.checks].map(|it| Literal::byte_string(it));
    let merged = artifact.merged.iter();
    let (lanes, runs) = (artifact.wide.lanes, artifact.wide.views.iter());
    let (name, index) = (borrowed(name), name_of(index));
    let remarks = Literal::byte_string(&artifact.remarks.bytes);
    let inlined = artifact.inlined.iter().map(|name| borrowed(name));
    quote! {
        ::amp::__private::Artifact {
            name: #name,
            spirv: ::std::borrow::Cow::Borrowed(#spirv),
            rank: #rank,
            tiled: #tiled,
            index: ::amp::__private::IndexWidth::#index,
            float_faults: ::amp::__private::FloatFaults(#float_faults),
            has_barrier: #has_barrier,
            in_lockstep: #in_lockstep,
            pointwise: #pointwise,
            remarks: ::amp::__private::Remarks {
                bytes: ::std::borrow::Cow::Borrowed(#remarks),
            },
            inlined: ::std::borrow::Cow::Borrowed(&[#(#inlined),*]),
            params: ::std::borrow::Cow::Borrowed(&[#(#params),*]),
            block_bytes: #block_bytes,
            spilled: #spilled,
            constant_bytes: ::std::borrow::Cow::Borrowed(&[#(#constant_bytes),*]),
            features: ::std::borrow::Cow::Borrowed(&[#(#features),*]),
            files: ::std::borrow::Cow::Borrowed(&[#(#files),*]),
            faults: ::std::borrow::Cow::Borrowed(&[#(#faults),*]),
            messages: ::std::borrow::Cow::Borrowed(&[#(#messages),*]),
            print_words: #print_words,
            proofs: ::amp::__private::Proofs {
                nodes: ::std::borrow::Cow::Borrowed(#nodes),
                checks: ::std::borrow::Cow::Borrowed(#checks),
            },
            wide: ::amp::__private::Wide {
                lanes: #lanes,
                views: ::std::borrow::Cow::Borrowed(&[#(#runs),*]),
            },
            merged: ::std::borrow::Cow::Borrowed(&[#(#merged),*]),
        }
    }
}

fn borrowed(text: &str) -> TokenStream {
    quote!(::std::borrow::Cow::Borrowed(#text))
}

fn param(param: &Param) -> TokenStream {
    let Param { name, offset, kind } = param;
    let name = borrowed(name);
    let kind = match kind {
        ParamKind::View {
            rank,
            element_bytes,
            reads,
            writes,
        } => quote! {
            View { rank: #rank, element_bytes: #element_bytes, reads: #reads, writes: #writes }
        },
        ParamKind::Value { bytes } => quote!(Value { bytes: #bytes }),
    };
    quote! {
        ::amp::__private::Param {
            name: #name,
            offset: #offset,
            kind: ::amp::__private::ParamKind::#kind,
        }
    }
}

fn message(message: &Message) -> TokenStream {
    let (format, kind) = (borrowed(&message.format), name_of(message.kind));
    quote! {
        ::amp::__private::Message {
            kind: ::amp::__private::MessageKind::#kind,
            format: #format,
        }
    }
}

/// The tokens of a variant that has no data: its name.
fn name_of(variant: impl std::fmt::Debug) -> Ident {
    Ident::new(&format!("{variant:?}"), Span::call_site())
}

fn fault(site: &FaultSite) -> TokenStream {
    let FaultSite {
        kind,
        lane,
        file,
        line,
        column,
    } = site;
    let kind = match kind {
        FaultKind::Message(number) => quote!(Message(#number)),
        kind => name_of(kind).to_token_stream(),
    };
    quote! {
        ::amp::__private::FaultSite {
            kind: ::amp::__private::FaultKind::#kind,
            lane: #lane,
            file: #file,
            line: #line,
            column: #column,
        }
    }
}
