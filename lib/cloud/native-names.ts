/** How a cloud's own names look: claims may use them in place of neutral ones, and a typo is not one of them. */

export interface NativeName {
  readonly pattern: RegExp;
  /** For messages, with the cloud and an example. */
  readonly accepted: string;
}

export interface NativeNames {
  readonly instanceType: NativeName;
  readonly image: NativeName;
  readonly region: NativeName;
  /** Stands for every region in the images of a catalog; not set: an image is in one region. */
  readonly everywhere?: string;
}
