export interface FrameworkKind {
	label: string;
	/** The variable that an app in production needs for its own URL, and what to set it to. */
	address: string;
}

/** The templates. Each is a folder of `examples`: to offer another one, add it here. */
export const FRAMEWORKS = {
	express: { label: "Express", address: "`BETTER_AUTH_URL` to the URL of the app" },
	next: { label: "Next.js", address: "`DOMAIN` to the domain whose subdomains are the tenants" },
	"hono-react": { label: "Hono and React", address: "`BETTER_AUTH_URL` to the URL of the app" },
	sveltekit: { label: "SvelteKit", address: "`BETTER_AUTH_URL` to the URL of the app" },
} satisfies Record<string, FrameworkKind>;

export type Framework = keyof typeof FRAMEWORKS;
