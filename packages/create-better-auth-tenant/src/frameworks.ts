export interface FrameworkKind {
	label: string;
	/** Whether the app has a script `build`. */
	hasBuild: boolean;
}

/** The templates. Each is a folder of `examples`: to offer another one, add it here. */
export const FRAMEWORKS = {
	express: { label: "Express", hasBuild: false },
	next: { label: "Next.js", hasBuild: true },
	"hono-react": { label: "Hono and React", hasBuild: true },
	sveltekit: { label: "SvelteKit", hasBuild: true },
} satisfies Record<string, FrameworkKind>;

export type Framework = keyof typeof FRAMEWORKS;
