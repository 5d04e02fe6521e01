/** Whose page this is and where it stands, as the server wrote it into the page. */
export type Placement = {
	slug: string;
	/** Such as `/t/acme`; empty on the tenant's own host. */
	base: string;
};

export function readPlacement(): Placement {
	const meta = (name: string) =>
		document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
	return { slug: meta("tenant-slug"), base: meta("tenant-base") };
}
