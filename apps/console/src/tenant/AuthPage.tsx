import type { ReactNode } from "react";
import { Logo } from "../ui/Logo";
import { PageHeader } from "../ui/PageHeader";
import { ThemeToggle } from "../ui/ThemeToggle";
import { useTenant } from "./tenant-context";
import { usePageTitle } from "./use-page-title";

type AuthPageProps = { title: string; hint?: ReactNode; children?: ReactNode; footer?: ReactNode };

/** The frame of everything before one is signed in: the tenant's brand over one card. */
export function AuthPage({ title, hint, children, footer }: AuthPageProps) {
	const { tenant, branding } = useTenant().options;
	usePageTitle(title);
	return (
		<div className="auth-page">
			<div className="corner">
				<ThemeToggle />
			</div>
			<header className="auth-brand">
				<Logo name={tenant.name} url={branding.logoUrl} />
				<p className="auth-name break">{tenant.name}</p>
				{branding.tagline && <p className="muted break">{branding.tagline}</p>}
			</header>
			<main className="auth-card">
				<PageHeader title={title} hint={hint} />
				{children}
			</main>
			<footer className="auth-foot">
				{footer && <p>{footer}</p>}
				{branding.supportEmail && (
					<p className="muted small break">
						Need help? <a href={`mailto:${branding.supportEmail}`}>{branding.supportEmail}</a>
					</p>
				)}
			</footer>
		</div>
	);
}
