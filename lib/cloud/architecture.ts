/** Processor architectures of sizes and images, in the words of Kubernetes. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

const WORDS: Readonly<Record<Architecture, RegExp>> = {
  amd64: /(?<![a-z0-9])(amd64|x86[-_]64)(?![a-z0-9])/i,
  arm64: /(?<![a-z0-9])(arm64|aarch64)(?![a-z0-9])/i,
};

/** The one that a name of an image says; undefined: none, or both. */
export function architectureIn(text: string): Architecture | undefined {
  const [found, ...more] = ARCHITECTURES.filter((one) => WORDS[one].test(text));
  return more.length === 0 ? found : undefined;
}

/** Whether machines of one boot an image of the other; what is not known is not judged. */
export function fits(image: Architecture | undefined, size: Architecture | undefined): boolean {
  return image === undefined || size === undefined || image === size;
}
