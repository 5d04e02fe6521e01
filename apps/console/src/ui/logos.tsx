import { useState } from "react";
import { readableOn, visibleInBothThemes } from "../design/accent";
import { providerOf } from "../providers";
import { COLOR_MARKS } from "./color-marks";

type LogoProps = {
	name: string;
	url?: string | undefined;
	/** Behind the letter. @default the accent color of the page */
	color?: string | undefined;
	size?: "normal" | "small";
};

/** A tenant's logo. Its first letter if there is no logo or the logo does not load. */
export function Logo({ name, url, color, size = "normal" }: LogoProps) {
	const [brokenUrl, setBrokenUrl] = useState<string>();
	if (url && url !== brokenUrl) {
		return (
			<img
				className={`logo logo-${size}`}
				src={url}
				alt=""
				// The host of the logo must not learn which tenant's page is open.
				referrerPolicy="no-referrer"
				onError={() => setBrokenUrl(url)}
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
	const { name, iconPath, color } = providerOf(providerId);
	const mark = Object.hasOwn(COLOR_MARKS, providerId) ? COLOR_MARKS[providerId] : null;
	if (mark) {
		return (
			<svg className="provider-icon" viewBox="0 0 24 24" aria-hidden="true">
				{mark}
			</svg>
		);
	}
	if (!iconPath) {
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
	return (
		<svg
			className="provider-icon"
			viewBox="0 0 24 24"
			fill="currentColor"
			style={color ? { color: visibleInBothThemes(color) } : undefined}
			aria-hidden="true"
		>
			<path d={iconPath} />
		</svg>
	);
}
