import { lazy, Suspense, useState } from "react";
import { readableOn, visibleInBothThemes } from "../design/accent";
import { PROVIDERS, providerOf } from "../providers";
import { COLOR_MARKS } from "./color-marks";
import { useTheme } from "./theme";

type LogoProps = {
	name: string;
	url?: string | undefined;
	/** The logo where the page is dark. @default the same logo */
	darkUrl?: string | undefined;
	/** Behind the letter. @default the accent color of the page */
	color?: string | undefined;
	size?: "normal" | "small";
};

/**
 * A tenant's logo. Its first letter if there is no logo or the logo does not load. It follows the theme that
 * the user chose, which `<picture>` does not know.
 */
export function Logo({ name, url, darkUrl, color, size = "normal" }: LogoProps) {
	const [broken, setBroken] = useState<string[]>([]);
	const isDark = useTheme() === "dark";
	const urls = isDark ? [darkUrl, url] : [url];
	const shown = urls.find((one) => one && !broken.includes(one));
	if (shown) {
		return (
			<img
				className={`logo logo-${size}`}
				src={shown}
				alt=""
				// The host of the logo must not learn which tenant's page is open.
				referrerPolicy="no-referrer"
				onError={() => setBroken((urls) => [...urls, shown])}
			/>
		);
	}
	return (
		<span
			className={`logo logo-letter logo-${size}`}
			style={color ? { backgroundColor: color, color: readableOn(color) } : undefined}
			aria-hidden="true"
		>
			{[...name.trim()][0]?.toUpperCase() ?? "?"}
		</span>
	);
}

/** A provider's mark in its own colors. Its first letter if we have no mark for it. */
export function ProviderIcon({ providerId }: { providerId: string }) {
	const mark = Object.hasOwn(COLOR_MARKS, providerId) ? COLOR_MARKS[providerId] : null;
	if (mark) {
		return (
			<svg className="provider-icon" viewBox="0 0 24 24" aria-hidden="true">
				{mark}
			</svg>
		);
	}
	if (!Object.hasOwn(PROVIDERS, providerId)) return <ProviderLetter providerId={providerId} />;
	return (
		<Suspense fallback={<span className="provider-icon" />}>
			<PlainMark providerId={providerId} />
		</Suspense>
	);
}

function ProviderLetter({ providerId }: { providerId: string }) {
	const { name, color } = providerOf(providerId);
	return (
		<span
			className="provider-icon provider-letter"
			style={color ? { backgroundColor: color, color: readableOn(color) } : undefined}
			aria-hidden="true"
		>
			{name[0]?.toUpperCase()}
		</span>
	);
}

const PlainMark = lazy(async () => {
	// A letter is enough if the file does not load.
	const icons = await import("./provider-icons").then(
		({ PROVIDER_ICONS }) => PROVIDER_ICONS,
		(): Readonly<Record<string, string>> => ({}),
	);
	return {
		default: ({ providerId }: { providerId: string }) => {
			const path = icons[providerId];
			const { color } = providerOf(providerId);
			if (!path) return <ProviderLetter providerId={providerId} />;
			return (
				<svg
					className="provider-icon"
					viewBox="0 0 24 24"
					fill="currentColor"
					style={color ? { color: visibleInBothThemes(color) } : undefined}
					aria-hidden="true"
				>
					<path d={path} />
				</svg>
			);
		},
	};
});
