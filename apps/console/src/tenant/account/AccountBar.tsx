import type { ReactNode } from "react";
import { Logo } from "../../ui/Logo";
import { ThemeToggle } from "../../ui/ThemeToggle";
import { useTenant } from "../tenant-context";

export function AccountBar({ children }: { children: ReactNode }) {
	const { tenant, branding } = useTenant().options;
	return (
		<header className="account-bar">
			<div className="account-bar-content">
				<Logo name={tenant.name} url={branding.logoUrl} size="small" />
				<span className="account-bar-name">{tenant.name}</span>
				<ThemeToggle />
				{children}
			</div>
		</header>
	);
}
