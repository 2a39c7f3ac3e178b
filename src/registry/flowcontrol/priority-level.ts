import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { mandatoryCheck, type FlowControlSpecs } from './mandatory.ts';

/** The level that nothing limits, and no other is like it. */
const EXEMPT = 'exempt';

export const priorityLevelSpec: TypeCheck = (spec, at, { root, errors }) => {
  const type = textAt(spec, 'type');
  if ((root.metadata.name === EXEMPT) !== (type === 'Exempt'))
    errors.push(invalid(at.child('type'), type, `Exempt is for the level ${EXEMPT} alone`));
  if (type === 'Exempt') {
    if (objectAt(spec, 'limited') !== undefined)
      errors.push(forbidden(at.child('limited'), 'the type is Exempt'));
  } else if (type === 'Limited') {
    if (objectAt(spec, 'exempt') !== undefined)
      errors.push(forbidden(at.child('exempt'), 'the type is Limited'));
    const limited = objectAt(spec, 'limited');
    const path = at.child('limited');
    if (limited === undefined) errors.push(required(path));
    else checkResponse(objectAt(limited, 'limitResponse') ?? {}, path.child('limitResponse'), errors);
  } else errors.push(notSupported(at.child('type'), type, ['Exempt', 'Limited']));
};

/** What becomes of requests that there is no room for. */
function checkResponse(response: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const type = textAt(response, 'type');
  const queuing = objectAt(response, 'queuing');
  const path = at.child('queuing');
  if (type === 'Reject') {
    if (queuing !== undefined) errors.push(forbidden(path, 'the type is Reject'));
  } else if (type !== 'Queue') errors.push(notSupported(at.child('type'), type, ['Queue', 'Reject']));
  else if (queuing === undefined) errors.push(required(path));
  else checkQueues(queuing, path, errors);
}

const MAX_QUEUES = 10_000_000;
/** Bits of the hash that deals a flow its queues. */
const HASH_BITS = 60;

function checkQueues(queuing: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const [queues = 0, hand = 0, length = 0] = ['queues', 'handSize', 'queueLengthLimit'].map((field) =>
    numberAt(queuing, field),
  );
  if (length <= 0) errors.push(invalid(at.child('queueLengthLimit'), length, 'must be greater than 0'));
  if (queues <= 0) errors.push(invalid(at.child('queues'), queues, 'must be greater than 0'));
  else if (queues > MAX_QUEUES)
    errors.push(invalid(at.child('queues'), queues, `must be no more than ${MAX_QUEUES}`));
  if (hand <= 0) errors.push(invalid(at.child('handSize'), hand, 'must be greater than 0'));
  else if (hand > queues)
    errors.push(invalid(at.child('handSize'), hand, `must be no more than queues, ${queues}`));
  else if (entropyBits(queues, hand) > HASH_BITS)
    errors.push(
      invalid(at.child('handSize'), hand, `takes more than the ${HASH_BITS} bits that tell flows apart`),
    );
}

/** Bits that it takes to deal a hand from a deck. */
function entropyBits(deck: number, hand: number): number {
  return Math.ceil(Math.log2(deck) * hand);
}

/** Levels: those that the system needs are as they are, and none says how an older version of it was meant. */
export function priorityLevel(names: NamingProfile, mandatory: () => FlowControlSpecs): TypeCheck {
  const annotation = names.get('annotation.flow-control-preserve-zero');
  const check = mandatoryCheck('PriorityLevelConfiguration', mandatory);
  return (level, at, context) => {
    const { root, errors } = context;
    check(level, at, context);
    if (root.metadata.annotations?.[annotation] !== undefined)
      errors.push(
        forbidden(at.child('metadata').child('annotations'), `${annotation} is for older versions`),
      );
  };
}
