/** The messages of composition functions as far as functions of Slipway read them: what protobuf has to know of them. */

export interface Field {
  readonly wireType: 0 | 1 | 2;
  readonly message?: () => Schema;
  /** Also maps, whose entries are messages. */
  readonly repeated?: boolean;
  /** Of a map, only the last entry for a key is read: nobody sees whether the others are sound. */
  readonly isRead?: 'late';
}

export interface Schema {
  readonly fields: Readonly<Record<number, Field>>;
  /** All of its fields exclude each other: the last one counts. */
  readonly isOneOf?: boolean;
}

const whole: Field = { wireType: 0 };
const double: Field = { wireType: 1 };
const text: Field = { wireType: 2 };
const message = (schema: () => Schema): Field => ({ wireType: 2, message: schema });
const many = (schema: () => Schema): Field => ({ wireType: 2, message: schema, repeated: true });
const mapOf = (value: Field): Field => many(() => ({ fields: { 1: text, 2: value } }));
const lateMapOf = (value: Field): Field => ({ ...mapOf(value), isRead: 'late' });

const VALUE: Schema = {
  isOneOf: true,
  fields: { 1: whole, 2: double, 3: text, 4: whole, 5: message(() => STRUCT), 6: message(() => LIST) },
};
const STRUCT: Schema = { fields: { 1: mapOf(message(() => VALUE)) } };
const LIST: Schema = { fields: { 1: many(() => VALUE) } };
const RESOURCE: Schema = { fields: { 1: message(() => STRUCT), 2: mapOf(text), 3: whole } };
/** Nobody reads connection details of what is desired, or of the XR. */
const WANTED: Schema = { fields: { 1: message(() => STRUCT), 3: whole } };
const OBSERVED: Schema = { fields: { 1: message(() => WANTED), 2: lateMapOf(message(() => RESOURCE)) } };
const DESIRED: Schema = { fields: { 1: message(() => WANTED), 2: lateMapOf(message(() => WANTED)) } };
const RESOURCES: Schema = { fields: { 1: many(() => RESOURCE) } };
const SELECTOR: Schema = {
  fields: { 1: text, 2: text, 3: text, 4: message(() => ({ fields: { 1: mapOf(text) } })), 5: text },
};
const DURATION: Schema = { fields: { 1: whole, 2: whole } };

/** Without capabilities, credentials, schemas and the deprecated extra resources, which nothing of Slipway reads. */
export const REQUEST: Schema = {
  fields: {
    1: message(() => ({ fields: { 1: text } })),
    2: message(() => OBSERVED),
    3: message(() => DESIRED),
    4: message(() => STRUCT),
    5: message(() => STRUCT),
    8: lateMapOf(message(() => RESOURCES)),
  },
};

export const ANSWER: Schema = {
  fields: {
    1: message(() => ({ fields: { 1: text, 2: message(() => DURATION) } })),
    2: message(() => DESIRED),
    3: many(() => ({ fields: { 1: whole, 2: text, 3: text, 4: whole } })),
    4: message(() => STRUCT),
    5: message(() => ({ fields: { 2: lateMapOf(message(() => SELECTOR)) } })),
    6: many(() => ({ fields: { 1: text, 2: whole, 3: text, 4: text, 5: whole } })),
  },
};

export function fieldsOf({ fields }: Schema): readonly { readonly number: number; readonly wireType: number }[] {
  return Object.entries(fields).map(([number, { wireType }]) => ({ number: Number(number), wireType }));
}
