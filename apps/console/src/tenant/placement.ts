/** Whose page this is and where it stands, as the server wrote it into the page. */
export type Placement = {
	slug: string;
	/** Such as `/t/acme`; empty on the tenant's own host. */
	base: string;
};

export function readPlacement(): Placement {
	const meta = (name: string) =>
		document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
	const slug = meta("tenant-slug");
	if (!slug.startsWith("{{")) return { slug, base: meta("tenant-base") };
	// Vite's development server does not fill the page in.
	const inPath = /^\/t\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
	return { slug: inPath, base: inPath && `/t/${inPath}` };
}
