/** What is refused of a claim that the API server accepts. */
export interface Refusal {
  /** Of the pipeline; undefined: there is none, because no Composition is chosen. */
  readonly step: string | undefined;
  /** Empty if it is about the whole claim. */
  readonly field: string;
  readonly reason: string;
}
