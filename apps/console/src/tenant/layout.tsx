import { type ReactNode, useEffect } from "react";
import { Skeleton } from "../ui/feedback";
import { LockIcon } from "../ui/icons";
import { PageHeader } from "../ui/layout";
import { Logo } from "../ui/logos";
import { ThemeToggle } from "../ui/theme";
import { useTenant } from "./tenant-context";

type AuthPageProps = { title: string; hint?: ReactNode; children?: ReactNode; footer?: ReactNode };

/** The tenant's brand above one card. */
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

export function usePageTitle(title: string): void {
	const { name } = useTenant().options.tenant;
	useEffect(() => {
		document.title = `${title} · ${name}`;
	}, [title, name]);
}

type UnbrandedPageProps = { title: string; children: ReactNode; action?: ReactNode };

/** A message without any tenant's brand. */
export function UnbrandedPage({ title, children, action }: UnbrandedPageProps) {
	useEffect(() => {
		document.title = title;
	}, [title]);
	return (
		<main className="auth-page">
			<div className="auth-card plain-card">
				<LockIcon />
				<h1>{title}</h1>
				<p className="muted">{children}</p>
				{action}
			</div>
		</main>
	);
}

/** Has the shape of the other pages, without any tenant's brand. */
export function LoadingPage() {
	return (
		<main className="auth-page" aria-busy="true">
			<h1 className="visually-hidden">Loading</h1>
			<div className="auth-card late">
				<Skeleton kind="title" />
				<Skeleton kind="control" />
				<Skeleton kind="control" />
			</div>
		</main>
	);
}
