import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/")({
	validateSearch: ({ workspace }: Record<string, unknown>) => ({
		workspace: typeof workspace === "string" ? workspace.trim() : undefined,
	}),
	beforeLoad: ({ search: { workspace: slug = "" } }) => {
		// Anything else could lead to another site.
		if (/^[a-z\d-]+$/.test(slug)) throw redirect({ to: "/$slug", params: { slug } });
	},
	component: HomePage,
});

/** It asks, because a list would show who your customers are. */
function HomePage() {
	return (
		<>
			<h1>Sign in</h1>
			<form>
				<label>
					Workspace <input name="workspace" placeholder="acme" required />
				</label>
				<button type="submit">Continue</button>
			</form>
		</>
	);
}
