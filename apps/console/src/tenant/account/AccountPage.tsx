import { useQuery } from "@tanstack/react-query";
import { Navigate } from "react-router";
import { useErrorMessage } from "../../sign-in/error-messages";
import { LanguageSelect } from "../../sign-in/LanguageSelect";
import { LoadingPage } from "../../sign-in/layout";
import { missingFactorQuery, useSession } from "../../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { PageHeader } from "../../ui/layout";
import { Logo } from "../../ui/logos";
import { MessagePage } from "../../ui/MessagePage";
import { ThemeToggle } from "../../ui/theme";
import { mayManageQuery } from "../queries";
import { useSignOut } from "../use-sign-out";
import { ApplicationsCard } from "./ApplicationsCard";
import { LinkedAccountsCard } from "./LinkedAccountsCard";
import { PasskeysCard } from "./PasskeysCard";
import { PasswordCard } from "./PasswordCard";
import { DeleteCard, EmailCard, ProfileCard } from "./profile-cards";
import { SecondFactorCard } from "./SecondFactorCard";
import { SessionsCard } from "./SessionsCard";

export function AccountPage() {
	const { account, ui } = useTexts();
	const errorMessage = useErrorMessage();
	const { search } = useReturnUrl();
	const { data, error, isPending, refetch } = useSession();
	const tenant = useTenant();
	const missing = useQuery(missingFactorQuery(tenant));
	if (isPending || (!data && missing.isLoading)) return <LoadingPage />;
	// A page that could not be read again keeps what it shows, and what the user typed.
	if (error && !data) {
		return (
			<MessagePage
				title={account.loadFailed}
				action={<Button onClick={() => refetch()}>{ui.tryAgain}</Button>}
			>
				{errorMessage(error)}
			</MessagePage>
		);
	}
	if (!data && missing.data) return <Navigate to={`/second-factor${search}`} replace />;
	if (!data) return <Navigate to={`/sign-in${search}`} replace />;
	const { user, session } = data;
	return (
		<>
			<title>{`${account.title} · ${tenant.options.tenant.name}`}</title>
			<AccountBar />
			<main className="account-page">
				<PageHeader
					title={account.title}
					hint={<span className="break">{user.email}</span>}
					actions={<ManageLink />}
				/>
				<ProfileCard user={user} />
				<EmailCard user={user} />
				<PasswordCard user={user} />
				<SecondFactorCard isEnabled={user.twoFactorEnabled === true} />
				{tenant.options.methods.includes("passkey") && <PasskeysCard />}
				<SessionsCard currentToken={session.token} />
				<ApplicationsCard />
				<LinkedAccountsCard />
				<DeleteCard user={user} />
			</main>
			<footer className="auth-foot account-foot">
				<LanguageSelect />
			</footer>
		</>
	);
}

/** Leads administrators of the tenant to their pages. */
function ManageLink() {
	const tenant = useTenant();
	const { account } = useTexts();
	const { data: mayManage } = useQuery(mayManageQuery(tenant));
	if (!mayManage) return null;
	return (
		<a className="break" href={tenant.pageUrl("admin")}>
			{account.manage(tenant.options.tenant.name)}
		</a>
	);
}

function AccountBar() {
	const { tenant, branding } = useTenant().options;
	const { account } = useTexts();
	const { callbackUrl } = useReturnUrl();
	const signOut = useSignOut();
	return (
		<header className="account-bar">
			<div className="account-bar-content">
				<Logo
					name={tenant.name}
					url={branding.logoUrl}
					darkUrl={branding.darkLogoUrl}
					size="small"
				/>
				<span className="account-bar-name">{tenant.name}</span>
				{callbackUrl && (
					<a className="button button-secondary button-small" href={callbackUrl}>
						{account.backToApp(nameOfApp(callbackUrl))}
					</a>
				)}
				<ThemeToggle />
				<Button size="small" busy={signOut.isPending} onClick={() => signOut.mutate()}>
					{account.signOut}
				</Button>
			</div>
		</header>
	);
}

/** Enough for a user to recognize it: its host, or the whole URL of a native app. */
const nameOfApp = (url: string) =>
	URL.canParse(url, window.location.href) ? new URL(url, window.location.href).host || url : url;
