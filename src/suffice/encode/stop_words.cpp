// Stop words by language. English is the list of scikit-learn (BSD licence), so that counts agree with it.
#include "suffice/encode/stop_words.hpp"

#include <algorithm>
#include <utility>

namespace suffice {
namespace {

// clang-format off
constexpr std::pair<std::string_view, std::string_view> lists[] = {
    {"english",
     "a about above across after afterwards again against all almost alone along already also although always am "
     "among amongst amoungst amount an and another any anyhow anyone anything anyway anywhere are around as at "
     "back be became because become becomes becoming been before beforehand behind being below beside besides "
     "between beyond bill both bottom but by call can cannot cant co con could couldnt cry de describe detail do "
     "done down due during each eg eight either eleven else elsewhere empty enough etc even ever every everyone "
     "everything everywhere except few fifteen fifty fill find fire first five for former formerly forty found "
     "four from front full further get give go had has hasnt have he hence her here hereafter hereby herein "
     "hereupon hers herself him himself his how however hundred i ie if in inc indeed interest into is it its "
     "itself keep last latter latterly least less ltd made many may me meanwhile might mill mine more moreover "
     "most mostly move much must my myself name namely neither never nevertheless next nine no nobody none noone "
     "nor not nothing now nowhere of off often on once one only onto or other others otherwise our ours ourselves "
     "out over own part per perhaps please put rather re same see seem seemed seeming seems serious several she "
     "should show side since sincere six sixty so some somehow someone something sometime sometimes somewhere "
     "still such system take ten than that the their them themselves then thence there thereafter thereby "
     "therefore therein thereupon these they thick thin third this those though three through throughout thru "
     "thus to together too top toward towards twelve twenty two un under until up upon us very via was we well "
     "were what whatever when whence whenever where whereafter whereas whereby wherein whereupon wherever whether "
     "which while whither who whoever whole whom whose why will with within without would yet you your yours "
     "yourself yourselves"},
    {"german",
     "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus "
     "bei bin bis bist da damit dann das dass dasselbe dein deine deinem deinen deiner deines dem demselben den "
     "denn denselben der derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben "
     "diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige einigem einigen "
     "einiger einiges einmal er es etwas euch euer eure eurem euren eurer eures für gegen gewesen hab habe haben "
     "hat hatte hatten hattest hattet hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in "
     "indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen "
     "keiner keines können könnte machen man manche manchem manchen mancher manches mein meine meinem meinen "
     "meiner meines mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem "
     "seinen seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte sondern "
     "sonst um und uns unser unsere unserem unseren unserer unseres unter viel vom von vor war waren warst was "
     "weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird wirst wo "
     "wollen wollte während würde würden zu zum zur zwar zwischen über"},
    {"french",
     "ai aie aient aies ait alors as au aucun aucune aura aurai auraient aurais aurait auras aurez auriez aurions "
     "aurons auront aussi autre autres aux avaient avais avait avec avez aviez avions avons ayant ayez ayons bien "
     "car ce ceci cela celle celles celui ces cet cette ceux chez ci comme comment contre dans de des donc dont "
     "du elle elles en encore entre es est et eu eue eues eurent eus eut eux eûmes eût eûtes fait furent fus fut "
     "fûmes fût fûtes ici il ils je jusque la le les lesquelles lesquels leur leurs lorsque lui là ma mais me mes "
     "moi moins mon même mêmes ne ni nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi puis "
     "quand que quel quelle quelles quels qui quoi sa sans se sera serai seraient serais serait seras serez "
     "seriez serions serons seront ses si sien soi soient sois soit sommes son sont sous soyez soyons suis sur ta "
     "te tes toi ton tous tout toute toutes très tu un une vos votre vous à ça étaient étais était étant étiez "
     "étions été êtes être"},
    {"spanish",
     "al algo algunas algunos ante antes aquel aquella aquellas aquello aquellos aquí así aunque cada como con "
     "contra cual cuales cualquier cuando cuándo de del desde donde dos durante el ella ellas ellos en entre era "
     "eran eras es esa esas ese eso esos esta estaba estaban estado estamos estar estas este esto estos estoy "
     "está están fue fueron fui fuimos ha habrá había habían han has hasta hay he hemos la las le les lo los me "
     "mi mientras mis mucho muchos muy más mí nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros "
     "o os otra otras otro otros para pero poco por porque pues que quien quienes qué se sea sean ser será si "
     "sido siempre sin sobre sois somos son soy su sus suya suyas suyo suyos sí también tan tanto te tenemos "
     "tener tengo ti tiene tienen toda todas todo todos tu tus tuya tuyo tú un una unas uno unos usted ustedes "
     "vosotras vosotros vuestra vuestro y ya yo él"},
    {"italian",
     "ad agli ai al alla alle allo anche avere aveva avevano c che chi ci coi col come con contro cui da dagli "
     "dai dal dalla dalle dallo degli dei del della delle dello di dove e ebbe ed era erano essere fa fra fu "
     "furono gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mie miei mio molto ne "
     "negli nei nel nella nelle nello no noi non nostra nostre nostri nostro o ogni per perché perciò più poi "
     "quale quali quando quanta quante quanti quanto quasi quella quelle quelli quello questa queste questi "
     "questo qui se sei senza si sia siamo siano siete sono sta stata state stati stato su sua sue sugli sui sul "
     "sulla sulle sullo suo suoi tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno vi voi vostra vostre "
     "vostri vostro è"},
    {"portuguese",
     "a ao aos aquela aquelas aquele aqueles aquilo as até com como da das de dela delas dele deles depois do dos "
     "e ela elas ele eles em entre era eram essa essas esse esses esta estamos estar estas estava estavam este "
     "estes estou está estão eu foi fomos for foram fosse há isso isto já lhe lhes mais mas me mesmo meu meus "
     "minha minhas muito na nas nem no nos nossa nossas nosso nossos num numa não nós o os ou para pela pelas "
     "pelo pelos por porque qual quando que quem se seja sem ser será seu seus somos sou sua suas são só também "
     "te tem temos tenho ter teu teus teve tinha tinham tu tua tuas tudo têm um uma umas uns você vocês vos à às "
     "é"},
    {"dutch",
     "aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er "
     "ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon "
     "kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds "
     "te tegen toch toen tot u uit uw van veel voor want waren was wat werd wezen wie wil worden wordt ze zelf "
     "zich zij zijn zo zonder zou"},
};
// clang-format on

}  // namespace

Result<std::vector<std::string>> stop_words(std::string_view language) {
    std::string known;
    for (const auto& [name, text] : lists) {
        known += (known.empty() ? "" : ", ") + std::string(name);
        if (name != language) continue;
        std::vector<std::string> words;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            words.emplace_back(text.substr(at, end - at));
            at = end + 1;
        }
        return words;
    }
    return Error(ErrorKind::usage,
                 "there are no stop words for '" + std::string(language) + "'; there are " + known + ".");
}

}  // namespace suffice
