/** The templates. Each is a folder of `examples`: to offer another one, add it here. */
export const FRAMEWORKS = {
	express: "Express",
} as const;

export type Framework = keyof typeof FRAMEWORKS;
