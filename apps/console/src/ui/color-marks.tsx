import type { ReactNode } from "react";

/**
 * Marks in several colors, on 24 × 24. The rules of these brands ask for them on a sign-in button, in light and
 * in dark.
 */
export const COLOR_MARKS: Readonly<Record<string, ReactNode>> = {
	google: (
		<g fill="none" strokeWidth="4.4">
			<path stroke="#ea4335" d="M4.47 7.65A8.7 8.7 0 0 1 18.3 6" />
			<path stroke="#fbbc05" d="M4.47 16.35a8.7 8.7 0 0 1 0-8.7" />
			<path stroke="#34a853" d="M18.15 18.15A8.7 8.7 0 0 1 4.47 16.35" />
			<path stroke="#4285f4" d="M12.2 12.1h8.5a8.7 8.7 0 0 1-2.55 6.05" />
		</g>
	),
	microsoft: (
		<>
			<path fill="#f25022" d="M1 1h10.5v10.5H1z" />
			<path fill="#7fba00" d="M12.5 1H23v10.5H12.5z" />
			<path fill="#00a4ef" d="M1 12.5h10.5V23H1z" />
			<path fill="#ffb900" d="M12.5 12.5H23V23H12.5z" />
		</>
	),
	slack: (
		<>
			<g fill="#36c5f0">
				<rect y="6.35" width="11.3" height="5" rx="2.5" />
				<path d="M8.8 5a2.5 2.5 0 1 1 2.5-2.5V5z" />
			</g>
			<g fill="#2eb67d">
				<rect x="12.65" width="5" height="11.3" rx="2.5" />
				<path d="M19 8.8a2.5 2.5 0 1 1 2.5 2.5H19z" />
			</g>
			<g fill="#ecb22e">
				<rect x="12.7" y="12.65" width="11.3" height="5" rx="2.5" />
				<path d="M15.2 19a2.5 2.5 0 1 1-2.5 2.5V19z" />
			</g>
			<g fill="#e01e5a">
				<rect x="6.35" y="12.7" width="5" height="11.3" rx="2.5" />
				<path d="M5 15.2a2.5 2.5 0 1 1-2.5-2.5H5z" />
			</g>
		</>
	),
	linkedin: (
		<>
			<rect width="24" height="24" rx="3" fill="#0a66c2" />
			<g fill="#fff">
				<circle cx="5.7" cy="5.8" r="2" />
				<path d="M4 9.2h3.4V20H4zM9.6 9.2h3.3v1.5c.6-1 1.8-1.8 3.4-1.8 3.3 0 4 2.2 4 5V20h-3.4v-5.4c0-1.3 0-2.8-1.7-2.8s-2.1 1.3-2.1 2.8V20H9.6z" />
			</g>
		</>
	),
	figma: (
		<>
			<path fill="#f24e1e" d="M8 0h4v8H8a4 4 0 0 1 0-8z" />
			<path fill="#ff7262" d="M12 0h4a4 4 0 0 1 0 8h-4z" />
			<path fill="#a259ff" d="M8 8h4v8H8a4 4 0 0 1 0-8z" />
			<circle fill="#1abcfe" cx="16" cy="12" r="4" />
			<path fill="#0acf83" d="M8 16h4v4a4 4 0 1 1-4-4z" />
		</>
	),
};
