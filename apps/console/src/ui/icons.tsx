import type { ReactNode } from "react";

const icon = (drawing: ReactNode) =>
	function Icon() {
		return (
			<svg
				className="icon"
				viewBox="0 0 24 24"
				fill="none"
				stroke="currentColor"
				strokeWidth="1.8"
				strokeLinecap="round"
				strokeLinejoin="round"
				aria-hidden="true"
			>
				{drawing}
			</svg>
		);
	};

export const EyeIcon = icon(
	<>
		<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
		<circle cx="12" cy="12" r="2.8" />
	</>,
);
export const EyeOffIcon = icon(
	<path d="M10 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.4M6.3 7.1A16 16 0 0 0 2.5 12s3.5 6.5 9.5 6.5a9 9 0 0 0 4.5-1.2M9.9 10a2.8 2.8 0 0 0 4 4M3.5 3.5l17 17" />,
);
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const SearchIcon = icon(
	<>
		<circle cx="11" cy="11" r="6.5" />
		<path d="m16 16 4.5 4.5" />
	</>,
);
export const CopyIcon = icon(
	<>
		<rect x="9" y="9" width="11.5" height="11.5" rx="2.5" />
		<path d="M15 9V6a2.5 2.5 0 0 0-2.5-2.5H6A2.5 2.5 0 0 0 3.5 6v6.5A2.5 2.5 0 0 0 6 15h3" />
	</>,
);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const SunIcon = icon(
	<>
		<circle cx="12" cy="12" r="4" />
		<path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
	</>,
);
export const MoonIcon = icon(<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z" />);
export const KeyIcon = icon(
	<>
		<circle cx="8" cy="15.5" r="4.5" />
		<path d="m11.3 12.2 8.2-8.2M15.5 8l3 3M18 5.5l2 2" />
	</>,
);
export const LockIcon = icon(
	<>
		<rect x="5" y="10.5" width="14" height="10" rx="2.5" />
		<path d="M8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3M12 14.5v2" />
	</>,
);
