#!/usr/bin/env python3
"""Write the training and held-out sentences.

    texts.py --wordnet DIR --exclude everyday40.txt --omit readme.txt
             --out texts.json [--n 24000] [--phrases 6000] [--more 10500]

Sources (see NOTICE): sentences composed here from a small grammar of everyday
speech, templates (assistant phrases, numbers, dates, lists), fixed phrases,
short phrases, computing, names and words in context (phrases.py),
example sentences of WordNet 3.0, and lists of frequent words (the order of
frequency is that of the package wordfreq). Output: {"train": [...], "test":
[...]} with [text, kind] items, shuffled with a fixed seed; no held-out text and
no line of --exclude or --omit occurs in train. (--omit is applied last and so
leaves the held-out texts as they are.)
"""
import argparse
import json
import os
import random
import re
from collections import Counter

import phrases

ONES = ("zero one two three four five six seven eight nine ten eleven twelve "
        "thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
ORD = ("first second third fourth fifth sixth seventh eighth ninth tenth "
       "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
       "eighteenth nineteenth twentieth thirtieth").split()


def spell(n):
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + ("" if n % 10 == 0 else "-" + ONES[n % 10])
    if n < 1000:
        r = n % 100
        return ONES[n // 100] + " hundred" + ("" if r == 0 else " " + spell(r))
    r = n % 1000
    return spell(n // 1000) + " thousand" + ("" if r == 0 else " " + spell(r))


def W(s):
    return [x.strip() for x in s.split("|") if x.strip()]


# name -> alternatives; <x> is replaced by an alternative of x
G = {
    "name": "Anna|Tom|Maria|John|Peter|Sarah|David|Emma|Lucas|Laura|Michael|Julia|Daniel|Sophie|Robert|Alice|Paul|Helen|George|Nina|Oliver|Grace|Henry|Martha|Frank|Clara|James|Rachel|Simon|Kate|Mary|William|Susan|Richard|Karen|Thomas|Lisa|Charles|Nancy|Mark|Betty|Steven|Sandra|Andrew|Ashley|Kevin|Kim|Brian|Donna|Edward|Carol|Jason|Amanda|Ryan|Melissa|Jacob|Rebecca|Gary|Eric|Jonathan|Anne|Larry|Justin|Scott|Brandon|Ben|Sam|Max|Leo|Mia|Eva|Zoe|Lily|Jack|Harry|Charlie|Oscar|Alex|Adam|Victor|Hugo|Louis|Arthur|Marie|Claire|Camille|Mister Smith|Missus Brown|Doctor Miller|Mister Jones|Miss Taylor|Kazeia".split("|"),
    "place": "London|Paris|Berlin|Boston|Chicago|Madrid|Rome|Dublin|Toronto|Sydney|Seattle|Denver|Tokyo|Vienna|Oslo|Lisbon|Geneva|Austin|Dallas|Brussels|Prague|Athens|Cairo|Delhi|New York|France|Germany|Spain|Italy|England|Canada|America|China|Japan|India|Mexico|Africa|Europe|Scotland|Ireland|Texas|California|Florida|the city|the country|the mountains|the coast|Amsterdam|Barcelona|Milan|Lyon|Geneva".split("|"),
    "day": W("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"),
    "month": W("January|February|March|April|May|June|July|August|September|October|November|December"),
    "subj": W("I|you|we|they|he|she|it"),
    "rel": W("brother|sister|mother|father|son|daughter|wife|husband|uncle|aunt|cousin|friend|boss|neighbor|teacher|doctor|grandmother|grandfather|dog|cat|baby|family|parents|boy|girl|partner|mom|dad"),
    "poss": W("my|your|his|her|our|their"),
    "sp": W("he|she|it|<name>|<name>|<poss> <rel>|<poss> <rel>|the <person>|the <adj> <person>|this <person>|everyone|someone|nobody|my old friend|somebody|the other <person>"),
    "pp": W("I|you|we|they|the <persons>|the <persons>|<poss> friends|<poss> parents|the children|some people|many people|<name> and I|<name> and <name>|these <persons>|both of us|most people|all the <persons>|her <rel> and I"),
    "person": W("man|woman|child|boy|girl|teacher|student|doctor|nurse|driver|manager|worker|policeman|engineer|writer|singer|actor|artist|lawyer|farmer|soldier|cook|waiter|guest|customer|visitor|stranger|captain|king|queen|president|judge|officer|captain|player|reporter|scientist|director|lady|gentleman|guy|kid|thief|pilot|painter|mechanic|secretary|baker|dentist|neighbor"),
    "persons": W("men|women|children|boys|girls|teachers|students|doctors|nurses|drivers|workers|guests|customers|visitors|players|people|neighbors|kids|soldiers|farmers|parents|friends|members|leaders|police|animals|birds|dogs|cats|horses|engineers|writers|tourists"),
    "thing": W("book|phone|key|bag|box|cup|glass|plate|knife|letter|newspaper|picture|photo|map|ticket|card|shirt|coat|hat|jacket|dress|shoe|watch|ring|clock|lamp|table|chair|bed|desk|door|window|computer|camera|radio|television|car|bike|bicycle|bus|train|boat|plane|truck|ball|game|toy|present|gift|flower|tree|plant|garden|house|room|kitchen|bottle|pen|pencil|paper|message|email|song|story|movie|film|report|plan|list|bill|umbrella|towel|blanket|pillow|mirror|basket|bucket|rope|tool|hammer|engine|machine|battery|screen|keyboard|file|program|password|piano|guitar|cake|sandwich|apple|egg|potato|fish|stone|wall|roof|bridge|road|street|river|lake|hill|mountain|island|suitcase|wallet|package|parcel|notebook|magazine|menu|recipe|sofa|carpet|curtain|shelf|drawer|fridge|oven|sink|candle|box of matches"),
    "things": W("books|keys|bags|boxes|cups|glasses|plates|letters|pictures|photos|maps|tickets|cards|clothes|shirts|shoes|socks|gloves|glasses|flowers|trees|plants|tables|chairs|windows|doors|lights|cars|bikes|games|toys|presents|eggs|apples|oranges|bananas|potatoes|tomatoes|vegetables|sandwiches|cookies|stones|tools|machines|files|messages|words|names|numbers|questions|answers|ideas|plans|rules|stories|songs|movies|pages|papers|dishes|houses|buildings|streets|problems|things|reasons|places|mistakes|pieces|sheets|bottles"),
    "stuff": W("water|milk|bread|butter|cheese|coffee|tea|rice|sugar|salt|soup|chicken|fish|meat|chocolate|honey|juice|wine|beer|fruit|salad|pasta|pizza|ice cream|cake|pepper|oil|flour|money|paper|help|time|work|music|air|food|information|advice|news|luck|homework|space|energy|medicine|gold|wood|soap|snow|ice|rain|lunch|breakfast|dinner|toast|jam|lemon juice|hot water|cold milk"),
    "adj": W("small|large|big|little|old|new|young|good|bad|nice|great|bright|dark|heavy|light|quiet|loud|strange|beautiful|simple|broken|empty|full|clean|dirty|green|blue|yellow|red|black|white|brown|gray|wooden|narrow|wide|cheap|expensive|famous|dangerous|gentle|sharp|smooth|warm|cold|hot|cool|dry|wet|soft|hard|long|short|tall|high|low|deep|thin|thick|round|fresh|sweet|rich|poor|strong|weak|happy|sad|tired|angry|busy|easy|difficult|different|important|interesting|beautiful|friendly|careful|special|second|last|next|whole|lovely|funny|serious|certain|free|safe|sick|healthy|hungry|thirsty|early|late|huge|tiny|perfect|wonderful|terrible|favorite|real|true|wrong|right|single|common|modern|ancient|local|main|secret|silver|golden|orange|pink|purple"),
    "feel": W("happy|sad|tired|angry|busy|sick|hungry|thirsty|sorry|sure|afraid|ready|late|early|alone|well|better|fine|lucky|proud|nervous|surprised|excited|bored|worried|lost|safe|right|wrong|free|cold|warm|very <feel>|really <feel>|so <feel>|too <feel>|a bit <feel>|not <feel>|quite <feel>"),
    "loc": W("in the kitchen|in the garden|in the house|in the room|in the car|in the street|in the park|in the city|in the box|in the fridge|in my bag|in your room|in the bathroom|in the bedroom|in the living room|in the office|in the hall|in the water|in the middle|in the corner|on the table|on the floor|on the wall|on the bed|on the desk|on the roof|on the street|on the bus|on the train|on the phone|on the way|on the left|on the right|on the top shelf|on the second floor|at home|at school|at work|at the station|at the office|at the door|at the airport|at the hotel|at the hospital|at the party|at the beach|at the market|at the table|at the bank|at the library|near the river|near the church|near the school|near the station|near the window|next to the bank|next to the <thing>|behind the house|behind the <thing>|behind you|in front of the house|in front of the <thing>|under the bed|under the table|under the <thing>|over there|outside|inside|upstairs|downstairs|here|there|everywhere|around the corner|across the street|by the lake|by the fire|from the shop|in <place>|in the <adj> <thing>|on the <adj> <thing>|with <poss> <rel>|with <name>|with us|with me|without you|for me|for <name>|for <poss> <rel>|to the <person>|to me|of <place>|between the two houses|along the river|through the forest|far from here|close to the sea"),
    "dest": W("to school|to work|to the park|to the beach|to the store|to the shop|to the market|to the bank|to the doctor|to the station|to the airport|to the office|to the cinema|to the theater|to the museum|to the library|to the hospital|to the restaurant|to church|to bed|to <place>|home|outside|upstairs|away|back|there|to the party|to the other side|to a concert|to the top of the hill|into the house|into the room|out of the room|down the street|up the stairs|around the lake|to the kitchen"),
    "when": W("today|tomorrow|yesterday|tonight|now|soon|later|again|every day|every morning|every night|every week|every year|last night|last week|last year|last summer|last <day>|next week|next month|next year|next <day>|this morning|this afternoon|this evening|this week|this year|on <day>|on <day> morning|in the morning|in the evening|at night|at noon|at <clock>|at <clock>|before lunch|after dinner|after work|after school|after the meeting|before breakfast|two days ago|a week ago|an hour ago|a long time ago|many years ago|in <num> minutes|in an hour|in a few days|for <num> hours|for a long time|for a while|in <month>|in the summer|in winter|in spring|on the weekend|all day|all night|the whole day|since <day>|until <clock>|right now|at the moment|once a week|twice a day|sometimes|already|at last|in the end|on the <ord> of <month>"),
    "clock": W("one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half past <hour>|a quarter past <hour>|a quarter to <hour>|<hour> o'clock|<hour> thirty|<hour> fifteen|ten past <hour>|twenty to <hour>|five to <hour>|<hour> in the morning|<hour> in the evening|noon|midnight"),
    "hour": W("one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"),
    "adv": W("quickly|slowly|quietly|carefully|always|never|often|usually|really|only|just|still|also|suddenly|finally|probably|almost|nearly|easily|happily|together|alone|early|late|well|hard|far|away|too much|a lot|very well|once more|at once|of course|perhaps|maybe|certainly|clearly|exactly|already|simply|even"),
    "vi": W("go|come|sleep|wait|walk|run|swim|dance|sing|work|talk|speak|play|eat|drink|cook|drive|fly|travel|study|read|write|listen|laugh|smile|cry|stay|sit|stand|rest|think|dream|win|lose|fall|jump|help|stop|start|begin|leave|arrive|return|pay|wake up|get up|sit down|stand up|go away|come back|look around|calm down|hurry up|turn around|go out|stay here|relax|learn|grow|change|agree|move|continue|die|live"),
    "ving": W("going|coming|sleeping|waiting|walking|running|swimming|dancing|singing|working|talking|speaking|playing|eating|drinking|cooking|driving|flying|traveling|studying|reading|writing|listening|laughing|smiling|crying|staying|sitting|standing|thinking|winning|losing|falling|helping|leaving|looking|living|learning|trying|getting ready|moving|shopping|watching television|playing football|playing the piano|making dinner|doing nothing|having lunch|taking a shower|washing the dishes|cleaning the house|painting the wall|looking for <np>|waiting for <np>|thinking about <np>|talking about <np>|writing <np>|reading <np>|buying <np>"),
    "vt": W("see|find|buy|sell|make|take|bring|give back|get|have|keep|lose|break|open|close|clean|wash|use|need|want|like|love|hate|know|remember|forget|watch|read|write|send|show|hear|feel|touch|hold|carry|move|pull|push|lift|throw|catch|hide|choose|check|count|change|repair|fix|build|draw|paint|cut|burn|cook|eat|drink|try|finish|start|stop|learn|study|understand|explain|describe|share|save|put away|pick up|look at|look for|wait for|ask for|pay for|talk about|think about|listen to|turn on|turn off|take care of|get rid of|believe|enjoy|visit|follow|leave|call|help|meet|join|answer|order|print|copy|record|protect|fill|cover|connect|return|discover|mention"),
    "vtp": W("saw|found|bought|sold|made|took|brought|got|had|kept|lost|broke|opened|closed|cleaned|washed|used|needed|wanted|liked|loved|hated|knew|remembered|forgot|watched|read|wrote|sent|showed me|heard|felt|touched|held|carried|moved|pulled|pushed|threw|caught|hid|chose|checked|counted|changed|repaired|fixed|built|drew|painted|cut|burned|cooked|ate|drank|tried|finished|started|stopped|learned|studied|understood|explained|shared|saved|picked up|looked at|looked for|waited for|asked for|paid for|talked about|thought about|listened to|turned on|turned off|gave me|gave us|told me about|took care of|enjoyed|visited|followed|left|called|helped|met|joined|answered|ordered|put down|dropped|stole|won|noticed|expected|received|accepted|returned|discovered"),
    "vip": W("went|came|slept|waited|walked|ran|swam|danced|sang|worked|talked|spoke|played|ate|drove|flew|traveled|studied|listened|laughed|smiled|cried|stayed|sat|stood|rested|won|lost|fell|jumped|stopped|started|left|arrived|returned|paid|woke up|got up|sat down|stood up|went away|came back|looked around|turned around|went out|agreed|moved|lived|died|disappeared|happened|screamed|shouted"),
    "np": W("the <thing>|a <thing>|the <adj> <thing>|a <adj> <thing>|<poss> <thing>|<poss> <adj> <thing>|this <thing>|that <thing>|the <things>|some <things>|<num> <things>|<poss> <things>|these <things>|those <adj> <things>|many <things>|a lot of <things>|some <stuff>|the <stuff>|a little <stuff>|more <stuff>|it|them|him|her|me|us|you|something|nothing|everything|anything|one|another <thing>|the same <thing>|the other <thing>|a cup of <stuff>|a glass of <stuff>|a bottle of <stuff>|a piece of <stuff>|a pair of <things>|the end of the <thing>|the name of the <thing>|a few <things>|all the <things>|every <thing>|no <stuff>|the first <thing>|the last <thing>|the <ord> <thing>|both <things>|<name>'s <thing>|<poss> <rel>'s <thing>|the <person>'s <thing>|an old <thing>|an empty <thing>|an orange <thing>|an apple|an hour|an idea|an answer|an interesting <thing>"),
    "mod": W("can|could|will|would|should|must|may|might|can't|couldn't|won't|wouldn't|shouldn't|cannot|will not|should not|would like to|want to|have to|need to|don't want to|don't have to|used to|had to|wanted to|tried to|decided to|forgot to|are able to|will never|can always|didn't|did not|will probably|would rather"),
    "mods": W("can|could|will|would|should|must|may|might|can't|couldn't|won't|wouldn't|shouldn't|cannot|will not|wants to|has to|needs to|doesn't want to|doesn't have to|used to|had to|wanted to|tried to|decided to|forgot to|is able to|will never|can always|is going to|is not going to|was going to|likes to|didn't|did not|does not|hopes to|learned to"),
    "aux": W("can|could|will|would|should|did|may|must"),
    "wh": W("what|where|when|why|how|who|which one|how often|how long|since when|with whom|how far|how soon|what exactly"),
    "num": W("two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|twenty-one|twenty-five|thirty|thirty-six|forty|forty-two|fifty|sixty|seventy|eighty|ninety|a hundred|a thousand|ninety-nine|fifty-seven|eighty-three"),
    "ord": ORD,
    "conj": W("and|but|so|because|and then|or|while|when|if|before|after|until|although|as|since|unless|even though|and so"),
    "start": W("Yes,|No,|Well,|Oh,|Okay,|Please,|Sorry,|Maybe|Perhaps|Of course,|Sometimes|Usually|Suddenly|Finally,|Then|Now|Today|Yesterday|Tomorrow|Unfortunately,|However,|In fact,|For example,|At first,|After that,|In the end,|I think|I know that|I hope|I believe that|I'm sure|I am afraid|He said that|She told me that|They say that|It is true that|Did you know that|As you know,|By the way,|This time|Last night|In the morning,|Luckily,|Again,|Once|One day,|First,|Next,|Hey,|Listen,|Look,|Hello <name>,|<name>,|My friend,|Good morning, <name>,|Thank you, but|Next time,|Actually,|In my opinion,"),
    "S": W("<sp> <vtp> <np>|<sp> <vtp> <np> <loc>|<sp> <vtp> <np> <when>|<pp> <vtp> <np>|<pp> <vtp> <np> <loc>|<pp> <vtp> <np> <when>|<sp> <vip> <dest>|<sp> <vip> <loc>|<pp> <vip> <dest> <when>|<sp> <vip> <when>|<pp> <mod> <vt> <np>|<pp> <mod> <vt> <np> <when>|<sp> <mods> <vt> <np>|<sp> <mods> <vt> <np> <loc>|<sp> <mods> <vi> <adv>|<pp> <mod> <vi> <loc>|<pp> <mod> <vi> <when>|<sp> <mods> <vi> <dest>|<sp> is <feel>|<sp> was <feel> <when>|<pp> are <feel>|<pp> were <feel> <when>|I am <feel>|I'm <feel> <when>|I was <feel>|it is <adj>|it's very <adj> <loc>|it was a <adj> <thing>|there is <np> <loc>|there are <num> <things> <loc>|there was a <adj> <person> <loc>|there were no <things> <loc>|this is <np>|that is <np>|these are <poss> <things>|that was <np>|the <thing> is <adj>|the <thing> was <adj> and <adj>|the <things> are <loc>|the <things> were too <adj>|the <adj> <thing> is <loc>|<poss> <thing> is <adj>|<poss> <rel> is a <person>|<poss> <rel> is <ving>|<sp> is <ving> <loc>|<pp> are <ving> <when>|I'm <ving> <loc>|we're <ving>|they're <ving> <when>|he's <ving>|she's <ving> <loc>|you're <feel>|<sp> was <ving> when I <vip> <dest>|<sp> has <num> <things>|I have <np>|we have <np> <loc>|you have <num> <things>|<sp> has <vtp> <np>|I have already <vtp> <np>|I've never <vtp> <np>|we've <vtp> <np> <when>|I'll <vt> <np> <when>|we'll <vi> <when>|you'll <vt> <np>|he'll <vi> <loc>|I'd like <np>|I don't know <np>|I don't <vt> <np>|we don't <vi> <when>|they don't <vt> <np>|he doesn't <vt> <np>|she doesn't <vi> <loc>|I didn't <vt> <np> <when>|it doesn't <vi>|it takes <num> minutes <dest>|it is <clock>|the <thing> costs <num> dollars|<sp> is <num> years old|the weather is <adj> <when>|it is going to rain <when>|the price of the <thing> is <adj>|nothing is more <adj> than <np>|<np> is better than <np>|<sp> speaks <adv>|<sp> asked me to <vt> <np>|<sp> told us to <vi> <loc>|let's <vi> <when>|let us <vt> <np>|let me <vt> <np>|I want you to <vt> <np>|I am going to <vt> <np>|we are going <dest> <when>|they want to go <dest>|you should go <dest>|I go <dest> <when>|<sp> goes <dest> <when>|we went <dest> <when>|<sp> came <dest> <adv>|<name> lives in <place>|<name> and <name> live <loc>|<sp> works <loc>|I work <loc>|the <person> with the <adj> <thing> <vip> <dest>|the <thing> that <sp> <vtp> is <adj>|the <person> who <vtp> <np> is <feel>"),
    "Q": W("do you <vt> <np>|do you want to <vi> <when>|do you know <wh> <sp> <vip>|do you know where <np> is|do they <vt> <np>|does <sp> <vt> <np>|does it <vi>|did you <vt> <np> <when>|did <sp> <vi> <loc>|did they <vt> <np>|are you <feel>|are you <ving>|are they <loc>|is <sp> <loc>|is <sp> <feel>|is it <adj>|is this <poss> <thing>|is there <np> <loc>|are there any <things> <loc>|was <sp> <ving>|were you <loc> <when>|can you <vt> <np>|can I <vt> <np>|can we <vi> <when>|could you <vt> <np> for me|could I have <np>|will you <vi> <when>|will <sp> <vt> <np>|would you like <np>|would you like to <vi>|should I <vt> <np>|should we <vi>|have you <vtp> <np>|has <sp> <vtp> <np>|may I <vt> <np>|what is <np>|what's <poss> name|what is the name of <np>|what did <sp> <vt>|what are you <ving>|what do you <vt>|what time is it|what time does the <thing> <vi>|what color is the <thing>|what kind of <stuff> do you like|what happened to <np>|where is <np>|where's the <thing>|where are the <things>|where do you <vi>|where did <sp> <vi>|where can I <vt> <np>|when is <np>|when will <sp> <vi>|when did <sp> <vi>|when do we <vi>|why is <sp> <feel>|why did <sp> <vt> <np>|why don't we <vi>|why are you <ving>|how is <poss> <rel>|how are <poss> <rel> and <poss> <rel>|how much is the <thing>|how much <stuff> do you need|how many <things> are <loc>|how many <persons> are there|how old is <name>|how far is it <dest>|how do you <vt> <np>|how did <sp> <vi>|who is <ving> <loc>|who <vtp> <np>|who is the <person>|who are those <persons>|whose <thing> is this|which <thing> is <adj>|which <thing> do you <vt>|isn't it <adj>|aren't you <feel>|can't you <vi>|didn't you <vt> <np>"),
    "I": W("<vt> <np>|please <vt> <np>|<vt> <np> <when>|<vt> <np>, please|don't <vt> <np>|please don't <vi>|never <vt> <np>|always <vt> <np>|<vi> <loc>|<vi> <adv>|go <dest>|please go <dest> <when>|come <dest>|be careful <loc>|be <feel>|don't be <feel>|take <np> <dest>|bring me <np>|give me <np>|show me <np>|tell me about <np>|tell <name> to <vi>|put <np> <loc>|leave <np> <loc>|turn left <loc>|turn right at the <thing>|wait <loc>|look at <np>|listen to <np>|help me <vt> <np>|try to <vt> <np>|ask <name> about <np>|call <name> <when>|write to <name> <when>|open the <thing>|close the <thing>|turn on the <thing> <loc>|turn off the <thing> <loc>|remember to <vt> <np>|make sure the <thing> is <adj>|let <sp> <vi>"),
}
FIXED = W("""Hello.|Hello there.|Hi.|Hi there.|Hey.|Hi, how are you?|Good morning.|Good afternoon.|Good evening.|Good night.|Welcome.|Welcome back.|Welcome home.|Goodbye.|Bye.|Bye bye.|See you later.|See you soon.|See you tomorrow.|Thank you.|Thank you very much.|Thank you so much.|Thanks.|Thanks a lot.|You are welcome.|You're welcome.|Please.|Please wait.|Please wait a moment.|One moment, please.|Just a moment.|Please try again.|Please try again later.|I am sorry.|I'm sorry.|Sorry.|Excuse me.|Sorry, I did not understand that.|I do not know.|I don't know.|I am not sure.|Yes.|No.|Okay.|Sure.|Of course.|Right away.|No problem.|Never mind.|That is correct.|That is not correct.|That's right.|Are you sure?|Can you repeat that?|How can I help you?|How may I help you today?|What can I do for you?|I am listening.|Done.|Ready.|Stop.|Start.|Go.|Wait.|Listen.|Error.|Warning.|Success.|Cancelled.|The task is complete.|The operation failed.|The connection was lost.|The battery is low.|The battery is fully charged.|Download complete.|The file was not found.|The file has been saved.|Access denied.|Invalid password.|Press any key to continue.|Please enter your name.|Please speak after the tone.|Turn left.|Turn right.|Go straight ahead.|You have arrived at your destination.|You have no new messages.|You have one new message.|Nothing to report.|All systems are working.|The system will restart now.|The update was installed.|No updates are available.|This is a test.|This is only a test.|Testing, one, two, three.|One, two, three.|One, two, three, four, five.|The quick brown fox jumps over the lazy dog.|How are you?|How are you today?|How are you doing?|I am fine, thank you.|I'm fine, thanks.|And you?|What is your name?|What's your name?|My name is Kazeia.|I am Kazeia.|Hello, I am Kazeia.|Hello, my name is Kazeia.|Hello, I am Kazeia, and I speak offline on your own computer.|Hello, I am Kazeia, and I speak offline.|I am Kazeia, and I speak offline on your own computer.|I speak offline on your own computer.|I speak on your own computer.|Hello, I am Kazeia, and I run on your own computer.|Kazeia speaks offline on your computer.|Kazeia can speak without the internet.|Hello, I am your computer, and I speak offline.|Your own computer can speak.|I work offline on your own machine.|I can read any text aloud on your own computer.|Kazeia is a small voice.|This is the voice of Kazeia.|Kazeia speaks English.|Hello Kazeia.|Hello, Kazeia, how are you?|Nice to meet you.|Nice to see you.|Have a nice day.|Have a good day.|Have a good weekend.|Take care.|Good luck.|Happy birthday!|Happy birthday to you!|Happy new year!|Merry Christmas!|Congratulations!|Well done!|Great!|Very good.|Be careful!|Look out!|Help!|Hurry up!|Come on!|Come in.|Sit down, please.|What time is it?|What is the weather like today?|Where are you going?|Where are you from?|I am from France.|Who is there?|Who are you?|Why not?|Why?|What?|When?|Where?|Who?|How?|How much is it?|How much does it cost?|When does the train leave?|Do you need anything else?|Do you speak English?|I speak a little English.|I do not understand.|Would you like to continue?|I think so.|I hope so.|I don't think so.|Let me check.|Let me see.|Let me think about it.|Here is what I found.|Here you are.|I found three results.|I could not find anything.|I can speak without an internet connection.|This voice runs on your own computer.|Speech synthesis turns text into sound.|The speech engine is ready.|Text to speech is now offline.|Hello world.|Hello, world!|Hello everybody.|Hello, how are you today?|It is a beautiful day.|What a beautiful day!|I love you.|I miss you.|Once upon a time, there was a little girl.|To be or not to be, that is the question.|She sells sea shells by the sea shore.|Peter Piper picked a peck of pickled peppers.|The sun is shining.|The sky is blue.|It is raining.|It is cold outside.|Time flies.|I have a dream.|Let's go.|Let's go home.|This is my house.|I am happy to see you.|Can you hear me?|Can you help me, please?|I need your help.|Ladies and gentlemen, welcome.|Thank you for your attention.|Thank you for listening.|Thank you for calling.|Please hold the line.|Please leave a message after the tone.|Your call is important to us.|Your order is on its way.|Your password is wrong.|Your computer is ready.|This program is free software.|You can type any sentence here.|Type some text, and I will read it to you.|I will read this sentence aloud.|I can tell you a story.|Please close the door.|The door is open.|Mind the gap.|The next station is the museum.|Attention, please.""")
ROOMS = W("kitchen|bedroom|living room|bathroom|garage|hallway|office|garden|basement|dining room")
DEVICES = W("lights|heating|television|radio|alarm|fan|door|window|camera|printer|computer|music|speaker|oven|washing machine|thermostat|lamp|heater")
WEATHER = W("sunny|cloudy|rainy|windy|cold|warm|foggy|hot|mild|stormy|dry|humid|snowy|clear|freezing|cool|wet")
FOOD = W("milk|bread|butter|cheese|apples|coffee|tea|rice|eggs|sugar|salt|tomatoes|onions|chicken|fish|oranges|potatoes|soup|chocolate|honey|carrots|flour|yogurt|lemons|mushrooms|garlic|beans|bananas|grapes|juice|pasta|pepper|ham|meat|water|wine")


def cap(s):
    return s[:1].upper() + s[1:]


class Maker:
    def __init__(self, rng):
        self.r = rng

    def fill(self, s):
        while True:
            m = re.search(r"<(\w+)>", s)
            if not m:
                return s
            s = s[:m.start()] + self.r.choice(G[m.group(1)]) + s[m.end():]

    def tidy(self, s):
        s = re.sub(r"\b([Aa]) (?=[aeioAEIO]\w|u(?!s|ni))", r"\1n ", s)
        s = re.sub(r"\ban (?=one|uni|use|[b-df-hj-np-tv-z])", "a ", s)
        return cap(re.sub(r"\s+", " ", s).strip())

    def everyday(self):
        r = self.r.random()
        f = self.fill
        if r < .42:
            s = f("<S>") + "."
        elif r < .62:
            s = f("<Q>") + "?"
        elif r < .74:
            s = f("<I>") + self.r.choice("...!")
        elif r < .86:
            s = f("<S>" + self.r.choice(["", ","]) + " <conj> <S>") + "."
        elif r < .95:
            s = f("<start> <S>") + "."
        elif r < .975:
            s = f("<start> <Q>") + "?"
        else:
            s = f("<S>, <conj> <S>, <conj> <S>") + "."
        return self.tidy(s)

    def num(self, a, b):
        n = self.r.randint(a, b)
        return str(n) if self.r.random() < 0.06 else spell(n)

    def template(self):
        c, num, r, f = self.r.choice, self.num, self.r, self.fill
        t = r.randrange(26)
        if t == 0:
            s = "The weather in <place> is %s and %s <when>." % (c(WEATHER), c(WEATHER))
        elif t == 1:
            s = "The temperature is %s degrees." % num(2, 99)
        elif t == 2:
            s = "Your timer is set for %s %s." % (num(2, 60), c(["minutes", "seconds", "hours"]))
        elif t == 3:
            s = "%s the %s in the %s." % (c(["Turn on", "Turn off", "Switch on", "Switch off", "Check"]), c(DEVICES), c(ROOMS))
        elif t == 4:
            s = "The %s in the %s is now %s." % (c(DEVICES), c(ROOMS), c(["on", "off", "open", "closed", "ready", "not responding"]))
        elif t == 5:
            s = "%s %s, %s and %s%s." % ((c(["I have added", "Please buy", "We need", "I bought", "There is", "I would like"]),) + tuple(r.sample(FOOD, 3)) + (c(["", " to your list", " for dinner", " today", " for lunch"]),))
        elif t == 6:
            s = "You have %s new %s from <name>." % (num(2, 40), c(["messages", "emails", "reminders", "letters"]))
        elif t == 7:
            s = "Your meeting with <name> is on <day> at <clock>."
        elif t == 8:
            s = "Today is <day>, the <ord> of <month>."
        elif t == 9:
            s = "The %s to <place> leaves from platform %s at <clock>." % (c(["train", "bus"]), num(1, 20))
        elif t == 10:
            s = "%s plus %s is %s." % (lambda a, b: (cap(spell(a)), spell(b), spell(a + b)))(r.randint(1, 60), r.randint(1, 60))
        elif t == 11:
            s = "The number is %s." % " ".join(c(ONES[:10]) for _ in range(r.randint(3, 6)))
        elif t == 12:
            s = "It costs %s %s and %s cents." % (num(2, 400), c(["dollars", "euros", "pounds"]), num(2, 99))
        elif t == 13:
            s = "<name> is %s years old and lives in <place>." % num(3, 99)
        elif t == 14:
            s = "I will remind you to call <name> <when>."
        elif t == 15:
            s = "If you <vi> <when>, please <vt> <np>."
        elif t == 16:
            s = "%s percent of the <things> were <adj>." % cap(num(1, 99))
        elif t == 17:
            s = "%s." % cap(spell(r.randint(0, 2999)))
        elif t == 18:
            s = "<name> and <name> went to <place> by %s." % c(["train", "car", "bus", "plane", "boat", "bicycle"])
        elif t == 19:
            s = "Number %s." % num(0, 999)
        elif t == 20:
            s = "<name>, %s" % c(["can you hear me?", "please come here.", "are you there?", "where are you?", "dinner is ready.", "look at this!", "what are you doing?", "I need you."])
        elif t == 21:
            s = "It happened in %s." % c(["<month>", "the year " + spell(r.randint(1, 20) * 100), "<month>, two thousand and " + spell(r.randint(1, 40)), "nineteen " + spell(r.randint(10, 99)), "twenty " + spell(r.randint(10, 40))])
        elif t == 22:
            s = "%s, I am <name>, and I %s." % (c(["Hello", "Hi", "Good morning", "Good evening", "Hey"]), c(["speak English", "live in <place>", "work with <name>", "am <feel>", "like <np>", "need <np>", "speak offline", "run on your own computer", "can read to you", "come from <place>", "want to <vt> <np>", "speak on your computer"]))
        elif t == 23:
            s = "%s %s %s." % (c(["The computer", "Your phone", "The voice", "This program", "Your own computer", "The assistant", "The speaker", "Kazeia", "The machine"]), c(["speaks", "works", "runs", "reads the text", "answers", "talks", "starts", "can speak"]), c(["offline", "without the internet", "on your own computer", "on any machine", "very well", "in English", "at home", "in real time", "on one core"]))
        elif t == 24:
            s = "The <ord> of <month> is a <day>."
        else:
            s = "%s, %s, %s." % tuple(cap(x) if i == 0 else x for i, x in enumerate(f("<%s>" % k) for k in r.choices(["things", "adj", "stuff", "num", "persons"], k=3)))
        return self.tidy(f(s))


def wordnet(path):
    ex = []
    for f in ("noun", "verb", "adj", "adv"):
        for line in open(os.path.join(path, "data." + f), encoding="latin-1"):
            if " | " in line:
                ex += re.findall(r'"([^"]+)"', line.split(" | ", 1)[1])
    return ex


OKC = re.compile(r"^[A-Za-z][A-Za-z ,.'?!;:-]*$")


def clean(s, lo, hi):
    s = re.sub(r"\s+", " ", s.replace("`", "'").replace("--", ", ")).strip(" ;,-")
    s = re.sub(r"\s+([,.;:!?])", r"\1", s)
    if not OKC.match(s) or not lo <= len(s.split()) <= hi or len(s) > 130:
        return None
    if re.search(r"[A-Z]{2}|\b(etc|eg|ie|cf)\b|[.?!].", s):
        return None
    s = cap(s.rstrip("."))
    return s if s[-1] in "?!" else s + "."


def key(s):
    return " ".join(re.findall(r"[a-z']+", s.lower()))


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--wordnet", required=True, help="directory of data.noun ...")
    ap.add_argument("--exclude", action="append", default=[],
                    help="file of sentences that must not occur in train")
    ap.add_argument("--omit", action="append", default=[],
                    help="the same, taken out of the finished list")
    ap.add_argument("--out", required=True)
    ap.add_argument("--n", type=int, default=24000, help="about this many")
    ap.add_argument("--phrases", type=int, default=6000,
                    help="phrases of a few words besides (phrases.py)")
    ap.add_argument("--more", type=int, default=10500,
                    help="short, computing, name and context texts besides")
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()
    rng = random.Random(a.seed)
    import wordfreq
    top = [w for w in wordfreq.top_n_list("en", 12000)
           if re.match(r"^[a-z]{2,}$|^[ai]$", w)][:9000]
    known = {w: i for i, w in enumerate(top)}

    def level(s):
        """rank of the rarest word"""
        return max(known.get(w.replace("'s", ""), 99999)
                   for w in re.findall(r"[a-z']+", s.lower()))
    ex = sorted({c for c in (clean(e, 3, 20) for e in wordnet(a.wordnet)) if c})
    ex = [e for e in ex if level(e) < 9000]
    rng.shuffle(ex)
    n = a.n
    m = Maker(rng)
    out = [(m.everyday(), "everyday") for _ in range(int(n * .48))]
    out += [(m.template(), "template") for _ in range(int(n * .12))]
    out += [(s, "example") for s in ex[:int(n * .30)]]
    # frequent words: the commonest often, every one a few times
    used = 0
    while used < n * .10:
        k = rng.choice([1, 1, 1, 2, 2, 3, 4, 5, 6])
        ws = [top[min(int(len(top) * rng.random() ** 2.2), len(top) - 1)]
              for _ in range(k)]
        sep = rng.choice([" ", " ", ", "])
        out.append((cap(sep.join("I" if w == "i" else w for w in ws)) +
                    rng.choice([".", ".", ".", "?", "!", ""]), "words"))
        used += 1

    def keys(files):
        return {key(l) for f in files for l in open(f) if l.strip()}
    banned, omit = keys(a.exclude), keys(a.omit)
    seen, uniq = set(banned), []
    for s, k in out:
        if key(s) not in seen and len(s) < 140:
            seen.add(key(s))
            uniq.append([s, k])
    rng.shuffle(uniq)
    test, train = [], []
    want = {"example": 80, "template": 40, "everyday": 80}
    for s, k in uniq:
        if want.get(k, 0) and 4 <= len(s.split()) <= 14 and not re.search(r"\d", s):
            want[k] -= 1
            test.append([s, k])
        else:
            train.append([s, k])
    rep = max(1, round(n / 8000))
    fixed = [[s, "fixed"] for s in FIXED if key(s) not in banned
             for _ in range(rep)]
    head = train[:4000] + fixed[:len(fixed)]
    rng.shuffle(head)
    train = head + train[4000:]
    G.update(phrases.ADDED)
    for make, n in ((phrases.phrases, a.phrases), (phrases.more, a.more)):
        # of their own generator: their number changes nothing of the rest
        train += make(Maker(random.Random(a.seed + 1)), n, seen, key,
                      a.wordnet, top)
    train = [t for t in train if key(t[0]) not in omit]
    json.dump({"train": train, "test": test}, open(a.out, "w"), indent=0)
    print(len(train), len(test), Counter(k for _, k in train))


if __name__ == "__main__":
    main()
