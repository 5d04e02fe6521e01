import { encode } from "uqr";

/** Light modules around the code, which scanners need. */
const BORDER = 4;

/** Dark on white in both themes: many scanners do not read it the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
	const { data, size } = encode(text, { border: BORDER });
	const path = data
		.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
		.join("");
	return (
		<svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
			<rect width={size} height={size} fill="#ffffff" />
			<path d={path} fill="#000000" shapeRendering="crispEdges" />
		</svg>
	);
}
