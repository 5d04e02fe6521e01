import { useState } from "react";
import { readableOn } from "../design/accent";

type LogoProps = {
	name: string;
	url?: string | undefined;
	/** Behind the letter; else the accent of the page. */
	color?: string | undefined;
	size?: "normal" | "small";
};

/** A tenant's logo, or its first letter where there is none or it does not load. */
export function Logo({ name, url, color, size = "normal" }: LogoProps) {
	const [broken, setBroken] = useState<string>();
	if (url && broken !== url) {
		return (
			<img
				className={`logo logo-${size}`}
				src={url}
				alt=""
				// The logo's host need not learn which tenant's page is open.
				referrerPolicy="no-referrer"
				onError={() => setBroken(url)}
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
