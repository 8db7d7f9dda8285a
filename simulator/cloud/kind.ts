/** What a cloud's folder says about one kind of managed resource; the provider does the rest the same for all. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';

/** A cloud object. */
export interface CloudObject {
  readonly kind: CloudKind;
  /** Name and namespace of the managed resource that made it. */
  readonly owner: { readonly name: string; readonly namespace: string };
  readonly id: string;
  readonly arn: string;
  /** Arguments as they are in the cloud. */
  readonly attributes: JsonObject;
  /** What the cloud itself says of it. */
  readonly outputs: JsonObject;
}

/** What is known when a cloud object is made. */
export interface NewObject {
  readonly id: string;
  readonly arn: string;
  /** Name of the managed resource. */
  readonly name: string;
  readonly attributes: JsonObject;
  readonly dice: Dice;
  /** Other cloud objects, by id or ARN. */
  readonly find: (id: string) => CloudObject | undefined;
}

/** What a zone may have too little of. */
export interface Room {
  readonly zone: string;
  /** The cloud's own word. */
  readonly size: string;
  /** What the cloud answers when there is none. @param request  the cloud's id of the call */
  readonly refusal: (request: string) => string;
}

export interface CloudKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The cloud's words for it. */
  readonly title: string;
  /** How ids begin, `vpc-`; undefined when the name is the id. */
  readonly idPrefix?: string;
  /** Makes up the ARN. */
  readonly arn: (id: string, attributes: JsonObject) => string;
  /** Seconds until a creation, a change and a deletion is done. */
  readonly seconds: {
    readonly create: readonly [number, number];
    readonly update: readonly [number, number];
    readonly delete: readonly [number, number];
  };
  /** Dotted arguments a change of which means another object. List positions are left out. */
  readonly forceNew: readonly string[];
  /** Reference fields without their `Ref`: the argument, and the kind that is referred to. */
  readonly references: Readonly<Record<string, string>>;
  /** Arguments the provider fills in from the cloud when the managed resource leaves them out. */
  readonly lateInitialized?: readonly string[];
  /** Lists of plain values that merge as sets, and lists of blocks that merge by their `index`, as the CRDs say. */
  readonly lists?: Readonly<Record<string, 'set' | 'index'>>;
  /** Arguments whose value stands in a Secret that `<argument>SecretRef` names. */
  readonly sensitive?: readonly string[];
  /** The provider reports no ARN of it. @default false */
  readonly withoutArn?: boolean;
  /** Arguments never reported back. */
  readonly hidden?: readonly string[];
  /** Kinds and arguments that keep this one from being deleted while they name it. */
  readonly blockedBy?: Readonly<Record<string, readonly string[]>>;
  /** Arguments the cloud fills in, and what it says of the object. */
  readonly created?: (object: NewObject) => { readonly attributes?: JsonObject; readonly outputs?: JsonObject };
  /** What it says of the object while an argument is changed; undefined when the change is not felt. */
  readonly during?: (changed: readonly string[]) => JsonObject | undefined;
  /** What it takes up; left out: nothing that a zone runs out of. */
  readonly room?: (attributes: JsonObject, find: (id: string) => CloudObject | undefined) => Room;
  /** Why the cloud refuses to make it; undefined when it does not. */
  readonly refuses?: (attributes: JsonObject, find: (id: string) => CloudObject | undefined) => string | undefined;
}
