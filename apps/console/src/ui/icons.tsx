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
export const MoreIcon = icon(
	<>
		<circle cx="5.5" cy="12" r="1" fill="currentColor" />
		<circle cx="12" cy="12" r="1" fill="currentColor" />
		<circle cx="18.5" cy="12" r="1" fill="currentColor" />
	</>,
);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const ChevronsIcon = icon(<path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4" />);
export const OverviewIcon = icon(
	<>
		<rect x="3.5" y="3.5" width="7" height="9" rx="1.5" />
		<rect x="13.5" y="3.5" width="7" height="5" rx="1.5" />
		<rect x="13.5" y="11.5" width="7" height="9" rx="1.5" />
		<rect x="3.5" y="15.5" width="7" height="5" rx="1.5" />
	</>,
);
export const TenantsIcon = icon(
	<path d="M4 20.5V6a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v14.5M14 10h4a2 2 0 0 1 2 2v8.5M2.5 20.5h19M7.5 8.5h3M7.5 12.5h3M7.5 16.5h3M17 14.5h.01M17 17.5h.01" />,
);
export const UserIcon = icon(
	<>
		<circle cx="12" cy="8" r="3.8" />
		<path d="M4.5 20.5a7.5 7.5 0 0 1 15 0" />
	</>,
);
export const UsersIcon = icon(
	<>
		<circle cx="9" cy="8" r="3.5" />
		<path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.3a6.5 6.5 0 0 1 3.5 5.7" />
	</>,
);
export const LogIcon = icon(
	<path d="M9 6.5h11.5M9 12h11.5M9 17.5h11.5M4 6.5h.01M4 12h.01M4 17.5h.01" />,
);
export const MailIcon = icon(
	<>
		<rect x="3" y="5" width="18" height="14" rx="2.5" />
		<path d="m3.5 7.5 8.5 6 8.5-6" />
	</>,
);
export const DevicesIcon = icon(
	<>
		<rect x="3" y="4.5" width="14" height="10" rx="2" />
		<path d="M7 18.5h5M10 14.5v4" />
		<rect x="15" y="10.5" width="6" height="10" rx="1.5" fill="var(--surface)" />
	</>,
);
export const ShieldIcon = icon(
	<path d="M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6ZM9 12l2.2 2.2L15.2 10" />,
);
export const SignInIcon = icon(
	<path d="M13.5 4H17a2.5 2.5 0 0 1 2.5 2.5v11A2.5 2.5 0 0 1 17 20h-3.5M4 12h10.5M10.5 7.5 15 12l-4.5 4.5" />,
);
export const SettingsIcon = icon(
	<>
		<path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
		<circle cx="15" cy="7" r="2" />
		<circle cx="9" cy="17" r="2" />
	</>,
);
export const SignOutIcon = icon(
	<path d="M10.5 4H7a2.5 2.5 0 0 0-2.5 2.5v11A2.5 2.5 0 0 0 7 20h3.5M10 12h10M16 7.5l4.5 4.5-4.5 4.5" />,
);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const GlobeIcon = icon(
	<>
		<circle cx="12" cy="12" r="8.5" />
		<path d="M3.5 12h17M12 3.5c2.5 2.3 3.7 5.2 3.7 8.5s-1.2 6.2-3.7 8.5c-2.5-2.3-3.7-5.2-3.7-8.5s1.2-6.2 3.7-8.5Z" />
	</>,
);
export const AppsIcon = icon(
	<>
		<rect x="3.5" y="3.5" width="7" height="7" rx="1.5" />
		<rect x="3.5" y="13.5" width="7" height="7" rx="1.5" />
		<rect x="13.5" y="13.5" width="7" height="7" rx="1.5" />
		<path d="M17 3.5v7M13.5 7h7" />
	</>,
);
export const ServerIcon = icon(
	<>
		<rect x="3.5" y="4" width="17" height="7" rx="2" />
		<rect x="3.5" y="13" width="17" height="7" rx="2" />
		<path d="M7 7.5h.01M7 16.5h.01" />
	</>,
);
export const WebhookIcon = icon(<path d="M13 3.5 5.5 13.5H12l-1 7 7.5-10H12Z" />);
export const SyncIcon = icon(
	<path d="M4 11a8 8 0 0 1 14-4.2L20.5 9M20.5 4v5h-5M20 13a8 8 0 0 1-14 4.2L3.5 15M3.5 20v-5h5" />,
);
export const PaletteIcon = icon(
	<>
		<path d="M12 3.5a8.5 8.5 0 1 0 0 17c1.4 0 2-1 1.6-2.1-.5-1.4.3-2.6 1.8-2.6h2.2c1.8 0 2.9-1.3 2.9-3.3A8.5 8.5 0 0 0 12 3.5Z" />
		<path d="M8 11.5h.01M11 7.8h.01M15.5 8.8h.01" strokeWidth="2.6" />
	</>,
);
