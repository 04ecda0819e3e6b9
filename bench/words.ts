import type { Random } from './random.ts'

/** The words that names are made of, the most common first, by script. */
export interface Vocabulary {
  latin: string[]
  accented: string[]
  cyrillic: string[]
  chinese: string[]
  japanese: string[]
  korean: string[]
}

const english = `the of and a in to story garden river night house letters winter old songs light sea mountain road book
  tales island summer king voices window city mirror journey stone forest morning silver shadow bridge harbour poems
  lantern clock white red blue green golden north south east west castle market station school theatre film picture
  portrait study notes essays history travels memoirs collected complete selected lost hidden silent broken burning
  quiet distant ancient modern little great first second last new young wild paper glass iron wooden moon sun star rain
  snow wind storm cloud fire earth water bird horse wolf fox cat dog fish whale rose lily oak willow apple bread salt
  honey wine tea mother father sister brother daughter son child queen prince soldier sailor farmer doctor painter
  singer dancer writer teacher student stranger traveller neighbour friend love war peace time death life dream sleep
  memory silence music dance colour word name year day hour century village street square tower church temple palace`

const accented = `café été château rêve forêt île mère père frère élève théâtre poème première dernière lumière rivière
  cœur sœur œuvre naïve Noël garçon leçon español mañana niño señor corazón canción jardín árbol camino años pequeña
  São coração canções irmão amanhã não você avó Straße Märchen Bücher Mädchen schöne grüne Flüsse Gärten Köln Höhle
  Übung ältere Ångström fjäll sjö björk älv smörgås blåbær sørgelig ø fjord ære Łódź źródło książka miłość świat żółty
  dzień zażółć český žluťoučký kůň město příběh řeka dívka úterý Győr könyv szív tündér őszi űr țară mulțumesc înainte
  şehir gün çiçek kırmızı ağaç gölge İstanbul đường phố mùa xuân người nhà thơ sông núi trăng`

const cyrillic = `и в на повесть сад река ночь дом письма зима старый песни свет море гора дорога книга сказки остров лето
  король голоса окно город зеркало путешествие камень лес утро серебро тень мост гавань стихи фонарь часы белый красный
  синий зелёный золотой северный ёлка война мир преступление наказание братья отцы дети мёртвые души чайка вишнёвый`

const chinese = `紅樓 三國 西遊 水滸 故事 花園 河流 夜晚 房子 書信 冬天 歌曲 光明 大海 高山 道路 書籍 島嶼 夏天 國王 聲音 窗戶
  城市 鏡子 旅行 石頭 森林 早晨 影子 橋樑 詩歌 燈籠 時鐘 白色 紅色 藍色 北方 南方 東方 西方 市場 電影 圖片 歷史 回憶 夢境
  明月 春風 秋雨 冬雪 山水 花鳥 人間 天下 江湖 英雄 美人 將軍 書生 和尚 道士 皇帝 太子 公主 母親 父親 兄弟 姐妹 朋友 老師
  学生 电影 图画 故乡 长城 北京 上海 苏州 杭州 论语 孟子 庄子 诗经 楚辞 唐诗 宋词 元曲 红楼 三国`

const japanese = `物語 草枕 日記 枕草 源氏 平家 雪国 古都 伊豆 東京 京都 大阪 奈良 富士 桜花 月見 夏目 芥川 太宰 羅生 地獄 蜘蛛
  銀河 鉄道 注文 料理 風景 浮世 百景 名所 時代 世界 人間 失格 こころ さくら ひかり ゆめ うみ やま かわ そら ほし つき
  ラジオ テレビ カメラ フィルム アルバム ジャズ ピアノ ギター バイオリン コーヒー レコード ドラマ アニメ シリーズ`

const korean = `이야기 정원 강물 밤 집 편지 겨울 노래 빛 바다 산 길 책 섬 여름 왕 목소리 창문 도시 거울 여행 돌 숲 아침 그림자 다리 시
  등불 시계 하얀 붉은 푸른 북쪽 남쪽 시장 영화 그림 역사 기억 꿈 달 봄 가을 눈 비 바람 구름 하늘 땅 사람 사랑 전쟁 평화
  서울 부산 제주 춘향 심청 흥부 홍길동 구운몽`

const hanForRareWords = `一丁七万丈三上下不与丑专且世丘业丛东丝两严丧个中丰串临丸丹为主丽举久么义之乌乐乔乘乙九乞也习乡买乱乳了予争事二于
  云互五井亚些亡交亥亦产亨享京亭亮亲人什仁仅仆仇今介仍从仓仔他仗付仙代令以仪们仰仲件价任份仿企伊伍伏伐休众优伙会伟传伤伦伪伯估伴伸伺似但位低住佐佑体何余佛作`

/** Invented words that sound like a script's: how rare words come about. */
const syllables = {
  latin: [
    'ba',
    'cor',
    'den',
    'el',
    'fan',
    'gor',
    'hil',
    'is',
    'jun',
    'kel',
    'lan',
    'mor',
    'nes',
    'or',
    'pel',
    'qui',
    'ran',
    'sel',
    'tor',
    'ul',
    'ven',
    'wis',
    'yor',
    'zan',
  ],
  accented: [
    'bé',
    'çor',
    'dé',
    'él',
    'fã',
    'gö',
    'hî',
    'íz',
    'jü',
    'kå',
    'læ',
    'mø',
    'né',
    'ôr',
    'pę',
    'qué',
    'ră',
    'şe',
    'tó',
    'ül',
    'vě',
    'wó',
    'ýr',
    'ža',
  ],
  cyrillic: [
    'ба',
    'вор',
    'ден',
    'ел',
    'жан',
    'гор',
    'хил',
    'ис',
    'зун',
    'кел',
    'лан',
    'мор',
    'нес',
    'ор',
    'пел',
    'рин',
    'сел',
    'тор',
    'ул',
    'вен',
    'цы',
    'шо',
    'щи',
    'юр',
  ],
  chinese: [...hanForRareWords].filter((character) => character.trim() !== ''),
  japanese: [...'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん'],
  korean: [...'가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초코토포호구누두루무부수우주'],
}

const vocabularySizes = {
  latin: 60_000,
  accented: 20_000,
  cyrillic: 15_000,
  chinese: 20_000,
  japanese: 10_000,
  korean: 10_000,
}

export function makeVocabulary(random: Random): Vocabulary {
  const written = { latin: english, accented, cyrillic, chinese, japanese, korean }
  const vocabulary = {} as Vocabulary
  for (const script of Object.keys(written) as (keyof Vocabulary)[]) {
    const words = new Set(written[script].trim().split(/\s+/))
    const dense = script === 'chinese' || script === 'japanese' || script === 'korean'
    while (words.size < vocabularySizes[script]) {
      let word = ''
      for (let i = dense ? 2 + random.integer(3) : 2 + random.integer(4); i > 0; i -= 1)
        word += random.pick(syllables[script])
      words.add(word)
    }
    vocabulary[script] = [...words]
  }
  return vocabulary
}
