import type { ReactNode } from "react";
import type { SuspendedTenant } from "../api/page-location";
import { Skeleton } from "../ui/feedback";
import { PageHeader } from "../ui/layout";
import { Logo } from "../ui/logos";
import { ThemeToggle } from "../ui/theme";
import { LanguageSelect } from "./LanguageSelect";
import { LegalLinks } from "./legal";
import { useTenant } from "./tenant-context";
import { Filled, useTexts } from "./texts/texts";

type AuthPageProps = { title: string; hint?: ReactNode; children?: ReactNode; footer?: ReactNode };

/** The tenant's brand above one card. */
export function AuthPage(props: AuthPageProps) {
	const { tenant, branding } = useTenant().options;
	return <BrandedPage name={tenant.name} branding={branding} {...props} />;
}

/** The same for a tenant that is not open. */
export function BrandedPage(props: AuthPageProps & SuspendedTenant) {
	const { name, branding, title, hint, children, footer } = props;
	const texts = useTexts();
	return (
		<div className="auth-page">
			<title>{`${title} · ${name}`}</title>
			<div className="corner">
				<ThemeToggle />
			</div>
			<header className="auth-brand">
				<Logo name={name} url={branding.logoUrl} darkUrl={branding.darkLogoUrl} />
				<p className="auth-name break">{name}</p>
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
						{texts.layout.needHelp}{" "}
						<a href={`mailto:${branding.supportEmail}`}>{branding.supportEmail}</a>
					</p>
				)}
				<LegalLinks {...branding} />
				<LanguageSelect />
			</footer>
		</div>
	);
}

/** The code of an error page, for the person who helps the user. Anybody can write any text into a URL. */
export function ErrorCode({ code }: { code: string | null }) {
	const { layout } = useTexts();
	if (!code || !/^[\w'-]{1,80}$/.test(code)) return null;
	return (
		<p className="muted small">
			<Filled text={layout.errorCode}>
				<code>{code}</code>
			</Filled>
		</p>
	);
}

/** Has the shape of the other pages, without any tenant's brand. */
export function LoadingPage() {
	const { layout } = useTexts();
	return (
		<main className="auth-page" aria-busy="true">
			<h1 className="visually-hidden">{layout.loading}</h1>
			<div className="auth-card late">
				<Skeleton kind="title" />
				<Skeleton kind="control" />
				<Skeleton kind="control" />
			</div>
		</main>
	);
}
