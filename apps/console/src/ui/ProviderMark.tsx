import { providerOf } from "../providers";

/** A provider's mark in the colour of the text; the first letter where there is none to show. */
export function ProviderMark({ providerId }: { providerId: string }) {
	const { name, path } = providerOf(providerId);
	if (!path) {
		return (
			<span className="provider-mark provider-letter" aria-hidden="true">
				{name[0]}
			</span>
		);
	}
	return (
		<svg className="provider-mark" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
			<path d={path} />
		</svg>
	);
}
