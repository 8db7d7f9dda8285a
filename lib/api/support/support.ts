/** What a flavour makes of a field of a claim. */
import type { Json } from '../json.ts';
import type { FlavourField } from './rows.ts';

export interface Honoured {
  readonly is: 'honoured';
  /** The field of the cloud that it sets, where there is one. */
  readonly as?: string;
}

export interface Mapped {
  readonly is: 'mapped';
  /** What it comes to. */
  readonly to: string;
}

/** Refused by name, whatever else the claim says. The default of the field is no value, so it is never refused. */
export interface Refused {
  readonly is: 'refused';
  /** What a claim says in place of it: follows "accepted: ". */
  readonly accepted: string;
  /** Values that are accepted besides the default. */
  readonly except?: readonly Json[];
}

export type Support = Honoured | Mapped | Refused;

/** The column of a flavour: a cell for each field that flavours decide about. */
export interface FlavourColumn {
  /** As people call the flavour. */
  readonly title: string;
  readonly fields: Readonly<Record<FlavourField, Support>>;
}

/** @param as  the field of the cloud that it sets */
export function honoured(as?: string): Honoured {
  return as === undefined ? { is: 'honoured' } : { is: 'honoured', as };
}

export function mapped(to: string): Mapped {
  return { is: 'mapped', to };
}

/** @param except  values that are accepted besides the default of the field */
export function refused(accepted: string, ...except: readonly Json[]): Refused {
  return except.length === 0 ? { is: 'refused', accepted } : { is: 'refused', accepted, except };
}
