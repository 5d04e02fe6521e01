import type { EmailTexts } from "./en";

export const es: EmailTexts = {
	hello: "Hola:",
	helloName: (name) => `Hola, ${name}:`,
	platform: "Su cuenta",
	questions: (email) => `¿Preguntas? Escriba a ${email}.`,
	copyLink: "Si el botón no funciona, abra este enlace en su navegador:",
	ignore: "Si no lo ha solicitado, puede ignorar este correo.",
	notYou: "Si no ha sido usted, no abra el enlace y elija una nueva contraseña.",
	verification: {
		subject: "verifique su correo electrónico",
		text: "Confirme que esta es su dirección de correo electrónico.",
		button: "Verificar correo",
	},
	resetPassword: {
		subject: "elija una nueva contraseña",
		text: "Use este enlace para elegir una nueva contraseña. Es válido durante una hora.",
		button: "Elegir una nueva contraseña",
		ignore: "Si no lo ha solicitado, puede ignorar este correo. Su contraseña no cambia.",
	},
	changeEmail: {
		subject: "confirme su nuevo correo electrónico",
		text: (newEmail) =>
			`Alguien con la sesión iniciada en su cuenta quiere cambiar el correo electrónico a ${newEmail}.`,
		button: "Cambiar mi correo",
	},
	deleteAccount: {
		subject: "borre su cuenta",
		text: "Use este enlace para borrar su cuenta. Esta acción no se puede deshacer.",
		button: "Borrar mi cuenta",
	},
	existingAccount: {
		subject: "ya tiene una cuenta",
		text: "Alguien quiso crear una cuenta con su correo, pero usted ya tiene una. Inicie sesión o elija allí una nueva contraseña si ha olvidado la suya.",
		button: "Iniciar sesión",
		ignore: "Si no ha sido usted, puede ignorar este correo. Nada ha cambiado.",
	},
	signInLink: {
		subject: "su enlace de acceso",
		text: "Use este enlace para iniciar sesión. Es válido durante diez minutos, una sola vez.",
		button: "Iniciar sesión",
	},
	secondFactorCode: {
		subject: "su código",
		text: "Su código es {{code}}. Es válido durante cinco minutos, una sola vez. Escríbalo solo en la página en la que inicia sesión en {{tenant}} y no se lo diga a nadie.",
		button: "Elegir una nueva contraseña",
		notYou:
			"Si no acaba de intentar iniciar sesión, otra persona conoce su contraseña. Elija una nueva.",
	},
	newDevice: {
		subject: "nuevo inicio de sesión en su cuenta",
		text: "Se ha iniciado sesión en su cuenta de {{tenant}} desde un dispositivo que no había usado aquí antes.\n\nFecha: {{time}}\nDispositivo: {{device}}\nDirección IP: {{ipAddress}}",
		button: "Abrir mi cuenta",
		notYou:
			"Si ha sido usted, no tiene que hacer nada. Si no ha sido usted, cambie ahora su contraseña y cierre la sesión en todos los demás dispositivos. Ambas opciones están en la página de su cuenta.",
		browserOn: (browser, system) => `${browser} en ${system}`,
		unknownDevice: "Dispositivo desconocido",
		unknownAddress: "desconocida",
	},
	invitation: {
		subject: "tiene una invitación",
		text: (tenant) => `Le invitan a unirse a ${tenant}.`,
		button: "Aceptar la invitación",
		ignore: "Si no sabe por qué ha recibido este correo, puede ignorarlo.",
	},
};
