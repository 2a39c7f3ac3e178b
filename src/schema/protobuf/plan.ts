import type { Field, InlineMessage, StructType } from '../model.ts';

/** What a field number of a message stands for: a field, or a message whose fields JSON shows in the struct itself. */
export type Slot = { readonly field: Field } | { readonly inner: MessagePlan };

/** A message by field number. */
export type MessagePlan = ReadonlyMap<number, Slot>;

const plans = new WeakMap<StructType, MessagePlan>();

/** The message of a struct. Constant time after the first call. */
export function messagePlan(type: StructType): MessagePlan {
  let plan = plans.get(type);
  if (plan === undefined) plans.set(type, (plan = makePlan(type)));
  return plan;
}

type OpenPlan = Map<number, Slot>;

function makePlan(type: StructType): MessagePlan {
  const root: OpenPlan = new Map();
  for (const field of type.fields) {
    // kind and apiVersion are told by the envelope.
    if (field.number === 0) continue;
    messageOf(root, field.inline).set(field.number, { field });
  }
  return root;
}

/** The message that a field sits in, made where it is new. */
function messageOf(root: OpenPlan, inline: InlineMessage | undefined): OpenPlan {
  if (inline === undefined) return root;
  const outer = messageOf(root, inline.within);
  const known = outer.get(inline.number);
  if (known !== undefined && 'inner' in known) return known.inner as OpenPlan;
  const inner: OpenPlan = new Map();
  outer.set(inline.number, { inner });
  return inner;
}
