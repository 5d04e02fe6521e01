/**
 * A GitLab that responds at once, as the cheap password hash does: what is measured is ours and Better
 * Auth's own work, not that of a provider. The authorization code says who signs in.
 */
export function replaceGitlab(): void {
	const { fetch } = globalThis;
	globalThis.fetch = async (input, init) => {
		const url = new URL(input instanceof Request ? input.url : input);
		if (url.host !== "gitlab.com") return fetch(input, init);
		const headers = new Headers(init?.headers);
		if (url.pathname === "/oauth/token") {
			const code = new URLSearchParams(String(init?.body)).get("code");
			return Response.json({ access_token: code, token_type: "bearer", scope: "read_user" });
		}
		const person = headers.get("authorization")?.replace("Bearer ", "");
		return Response.json({
			id: person,
			state: "active",
			name: person,
			email: `${person}@gitlab.example.com`,
			email_verified: true,
		});
	};
}
